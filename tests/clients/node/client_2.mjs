// The TypeScript SDK 2.x, in the era that MCP_ERA names: "auto", a revision, or none, which
// is the handshake era.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { headers, launched, obey, url } from './commands.mjs';

const era = process.env.MCP_ERA;
const mode = era && (era === 'auto' ? era : { pin: era });
const client = new Client(
  { name: 'typescript-sdk-2', version: '1' },
  mode ? { versionNegotiation: { mode } } : {},
);
const transport = url
  ? new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  : new StdioClientTransport(launched());
await obey(client, transport);
