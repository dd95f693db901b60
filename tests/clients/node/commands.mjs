// What both TypeScript clients do: connect, then obey one JSON command per line of stdin
// ({"list": true} or {"call": {name, arguments}}) with one JSON answer per line of stdout.
import { createInterface } from 'node:readline';

const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\n');

export const url = process.env.MCP_URL && new URL(process.env.MCP_URL);
export const headers = { Authorization: `Bearer ${process.env.MCP_KEY}` };

// With MCP_COMMAND (a JSON list) the client launches the server itself.
export function launched() {
  const [command, ...args] = JSON.parse(process.env.MCP_COMMAND);
  return { command, args, env: process.env };
}

export async function obey(client, transport) {
  await client.connect(transport);
  say({ server: client.getServerVersion().name });
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    try {
      say(command.list ? await client.listTools() : await client.callTool(command.call));
    } catch (error) {
      say({ thrown: String(error) });
    }
  }
  await client.close();
}
