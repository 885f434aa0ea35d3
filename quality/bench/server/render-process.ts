import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPortal } from '#app/build.ts'
import type * as Entry from '#app/web/entry-server.tsx'
import { elementIds, type PageState } from '#app/web/page-state.ts'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { type ApiResponse, type Api, type RequestInput, type Endpoint, buildPath } from '#kit/contract/endpoint.ts'
import { readFinishedActivation } from '#features/activation/finished-activation.contract.ts'
import { readStoredUsage } from '#features/usage/stored-usage.contract.ts'
import { answerParentProcess } from '../world/child-process.ts'

export type RenderedPage = { url: string; cookie: string; html: string }
export type RenderRequest = { origin: string; pages: Record<string, RenderedPage> }

// A reference server that only runs React: it renders the built portal's pages from data that was read once.
answerParentProcess(async ({ origin, pages }: RenderRequest): Promise<number> => {
  const folder = await buildPortal()
  const { render }: typeof Entry = await import(pathToFileURL(join(folder, 'server/entry-server.js')).href)
  const kept = new Map(
    Object.entries(pages).map(([path, { url, cookie, html }]) => [
      path,
      {
        url,
        bootstrap: parseEmbeddedJson<Bootstrap>(html, elementIds.bootstrap),
        api: createCachingApi(origin, cookie, parseEmbeddedUsage(html)),
      },
    ]),
  )
  const server = createServer((request, response) => {
    const page = kept.get(request.url ?? '')
    if (!page) return void response.writeHead(404).end()
    const fail = (error: unknown): void => void response.writeHead(500).end(String(error))
    render({ ...page, onError: fail }).then((rendered) => {
      if (!('html' in rendered)) return fail(rendered.location)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(rendered.html)
    }, fail)
  })
  server.keepAliveTimeout = 72_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})

function parseEmbeddedJson<T>(html: string, id: string): T {
  const [, text = 'null'] =
    new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(html) ?? []
  return JSON.parse(text)
}

function parseEmbeddedUsage(html: string): unknown {
  const { queries } = parseEmbeddedJson<PageState>(html, elementIds.state)
  const [key, summary] = queries.find(([[name]]) => name === 'usage-summary') ?? []
  return key ? { uuid: key[1], summary } : null
}

function createCachingApi(origin: string, cookie: string, keptUse: unknown): Api {
  const known = new Map<string, Promise<unknown>>()
  async function read(path: string): Promise<unknown> {
    const answer = await fetch(origin + path, { headers: { cookie } })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return answer.json()
  }
  return {
    async call<E extends Endpoint>(endpoint: E, { params, query }: RequestInput): Promise<ApiResponse<E>> {
      if (endpoint.path === readFinishedActivation.path)
        return { status: 200, data: { finished: false } as ApiResponse<E>['data'] }
      if (endpoint.path === readStoredUsage.path) return { status: 200, data: keptUse as ApiResponse<E>['data'] }
      const search = new URLSearchParams(query as Record<string, string> | undefined).toString()
      const path = buildPath(endpoint, params as Record<string, string> | undefined) + (search && `?${search}`)
      const asked = known.get(path) ?? read(path)
      known.set(path, asked)
      return { status: 200, data: (await asked) as ApiResponse<E>['data'] }
    },
  }
}
