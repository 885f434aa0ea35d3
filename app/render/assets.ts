import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding } from './content-coding.ts'

export type Asset = {
  type: string
  body: Buffer
  gzip?: Buffer
  brotli?: Buffer
  etag: string
  integrity: string
  cache: string
}

export type Assets = Map<string, Asset>

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** Cache-Control for files whose name contains a hash of their content. The content at such a URL never changes. */
export const immutableCache = 'public, max-age=31536000, immutable'
export const oneDayCache = 'public, max-age=86400'

export async function readAssets(folder: string, base: string, cache: string): Promise<Assets> {
  const assets: Assets = new Map()
  const names = new Set(await readdir(folder))
  for (const name of names) {
    if (!contentTypes[extname(name)]) continue
    const read = async (suffix: string): Promise<Buffer | undefined> =>
      names.has(name + suffix) ? readFile(join(folder, name + suffix)) : undefined
    const asset = createAsset(name, await readFile(join(folder, name)), cache)
    assets.set(base + name, { ...asset, gzip: await read('.gz'), brotli: await read('.br') })
  }
  return assets
}

export function createAsset(name: string, body: Buffer, cache: string): Asset {
  const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`
  return {
    type: contentTypes[extname(name)] ?? 'application/octet-stream',
    body,
    etag: `"${integrity.slice(7, 31)}"`,
    integrity,
    cache,
  }
}

/** Serves files from memory. The request's path is compared exactly as sent, so no spelling of `..` can reach a different file. */
export function serveAssets(app: FastifyInstance, assets: Assets, folders: readonly string[] = ['/static/']): void {
  const topFolders = folders.filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(other)))
  const otherPaths = [...assets.keys()].filter((path) => !topFolders.some((folder) => path.startsWith(folder)))
  for (const path of [...topFolders.map((folder) => `${folder}*`), ...otherPaths]) {
    // Assets have the highest priority under overload, because they cost little to serve and a page is broken without them.
    app.get(path, { config: { admission: 'first' } }, (request, reply) => {
      const asset = assets.get(request.raw.url?.split('?', 1)[0] ?? '')
      if (!asset) return reply.code(404).header('cache-control', 'no-store').type('text/plain').send('Not found')
      return send(asset, request, reply)
    })
  }
}

/**
 * Content-Security-Policy for SVG files. A browser can open an SVG as a document, and this policy stops it from loading
 * or running anything.
 */
const svgSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'"

/** Headers that protect only documents and API responses. On other files they have no effect, and would be longer than many scripts. */
const documentOnlyHeaders = [
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'x-server-time',
  'x-request-id',
]

function send(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (asset.type !== contentTypes['.html']) for (const name of documentOnlyHeaders) reply.removeHeader(name)
  reply.headers({ 'cache-control': asset.cache, etag: asset.etag, vary: 'accept-encoding' }).type(asset.type)
  if (asset.type === contentTypes['.svg']) reply.header('content-security-policy', svgSecurityPolicy)
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  const contentCoding = chooseCoding(request.headers['accept-encoding'], { br: asset.brotli, gzip: asset.gzip })
  const compressedBody = contentCoding === 'br' ? asset.brotli : asset.gzip
  if (contentCoding && compressedBody) return reply.header('content-encoding', contentCoding).send(compressedBody)
  return reply.send(asset.body)
}
