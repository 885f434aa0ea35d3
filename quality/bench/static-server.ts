import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compressPage } from '#app/render/compress.ts'

export type StaticServer = {
  url: string
  serve(path: string, html: string): void
  close(): Promise<void>
}

export async function startStaticServer(): Promise<StaticServer> {
  const pages = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const html = pages.get(request.url ?? '')
    if (html === undefined) return response.writeHead(404).end()
    const { body, coding } = await compressPage({ head: '', own: html, end: '' }, request.headers['accept-encoding'])
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (coding) response.setHeader('content-encoding', coding)
    return response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (path, html) => void pages.set(path, removeScripts(html)),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

/**
 * Replaces every tag that loads or runs something with a comment of the same length, so that the page keeps its length and its embedded
 * data.
 */
export const removeScripts = (html: string): string =>
  html.replaceAll(
    /<script type="module"[^>]*><\/script>|<link rel="(?:modulepreload|stylesheet|icon|apple-touch-icon|manifest)"[^>]*>/g,
    (tag) => `<!--${tag.slice(4, -3).replaceAll('-', '_').replaceAll('>', '_')}-->`,
  )
