import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const folder = join(import.meta.dirname, 'guide')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** What a newcomer opens: the guide and the mailbox. Each file has a route of its own, so that no path leads anywhere else. */
export function guideRoutes(app: FastifyInstance): void {
  for (const [path, name] of pathsOf(readdirSync(folder))) {
    const body = readFileSync(join(folder, name))
    const type = types[extname(name)] ?? 'application/octet-stream'
    app.get(path, (_request, reply) => reply.header('cache-control', 'no-store').type(type).send(body))
  }
}

/** Scripts and style sheets lie in the folder beside their tests and types, which are not served. */
const pathsOf = (names: string[]): [path: string, name: string][] => [
  ['/demo/', 'guide.html'],
  ['/demo/mailbox/', 'mailbox.html'],
  ...names
    .filter((name) => /^[a-z-]+\.(?:css|js)$/.test(name))
    .map((name): [string, string] => [`/demo/guide/${name}`, name]),
]
