// The TypeScript SDK 1.x, which speaks the handshake era alone.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { headers, launched, obey, url } from './commands.mjs';

const client = new Client({ name: 'typescript-sdk-1', version: '1' });
const transport = url
  ? new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  : new StdioClientTransport(launched());
await obey(client, transport);
