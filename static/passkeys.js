// Says beside the button when a passkey was not used; without it only the console would.
document.addEventListener("allauth.error", (event) => {
  const fault = document.getElementById("passkey-fault");
  if (!fault) return;
  event.preventDefault();
  fault.hidden = false;
});
