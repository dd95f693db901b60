"""The MCP endpoint: what stands between an HTTP request and one call of a tool.

The way of a request: `mount` takes it, `gate` looks at its headers, `bodies` reads and
checks what it carries, the SDK (`server`) speaks the protocol in both its eras, and
`calls` does the key check and the tool's work, in a thread of `pool`.
"""
