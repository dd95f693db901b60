# Debian's Chromium for the browser tests, with letters to draw. Sourced by run.

chromium_install() {
  if ! command -v chromium >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q -o Acquire::Retries=3 update &&
      apt-get -q -o Acquire::Retries=3 install --yes --no-install-recommends chromium fonts-liberation ||
      return 1
  fi
  chromium --version 2>/dev/null
}
