import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  createServer,
  isRunnableDevEnvironment,
  type EnvironmentModuleNode,
  type RunnableDevEnvironment,
  type ViteDevServer,
} from 'vite'
import { serveAssets } from './assets.ts'
import { renderDocument, type LinkedFile } from './document.ts'
import { base, entry, noScriptMessage, type Renderer, type SharedAssets } from './renderer.ts'
import type * as Entry from '../web/entry-server.tsx'

const root = join(import.meta.dirname, '../..')
const serverEntry = 'app/web/entry-server.tsx'

export async function createDevRenderer({ assets, colours, paper }: SharedAssets): Promise<Renderer> {
  let vite: ViteDevServer | undefined

  return {
    async render({ notices, ...request }) {
      const ssr = runnableEnvironment(vite)
      const { render }: typeof Entry = await ssr.runner.import(`/${serverEntry}`)
      const page = await render(request)
      if (page.status === 302) return page
      const scripts = [{ url: `${base}@vite/client` }, { url: base + entry }]
      const links = { scripts, preloads: [], styles: await collectStyles(ssr) }
      const commonParts = {
        bootstrap: request.bootstrap,
        style: colours,
        links,
        paper,
        needsScript: noScriptMessage,
        notices: (await notices) ?? null,
      }
      return { status: page.status, ...renderDocument({ ...page, ...commonParts }) }
    },
    registerAssets(app) {
      app.addHook('onReady', async () => void (vite = await startVite(app)))
      app.addHook('onClose', async () => vite?.close())
      app.get(`${base}*`, (request, reply) => {
        reply.hijack()
        vite?.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end())
      })
      serveAssets(app, assets)
    },
  }
}

function startVite(app: FastifyInstance): Promise<ViteDevServer> {
  return createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server: app.server }, watch: { ignored: ['**/.data/**', '**/dist/**'] } },
  })
}

function runnableEnvironment(vite: ViteDevServer | undefined): RunnableDevEnvironment {
  const ssr = vite?.environments['ssr']
  if (!ssr || !isRunnableDevEnvironment(ssr))
    throw new Error('The development server has not started: registerAssets comes first')
  return ssr
}

async function collectStyles(ssr: RunnableDevEnvironment): Promise<LinkedFile[]> {
  const styles = new Set<string>()
  const seen = new Set<EnvironmentModuleNode>()
  const visit = (module: EnvironmentModuleNode | undefined): void => {
    if (!module || seen.has(module)) return
    seen.add(module)
    for (const imported of module.importedModules) visit(imported)
    if (module.url.endsWith('.css')) styles.add(base + module.url.slice(1))
  }
  visit(await ssr.moduleGraph.getModuleByUrl(`/${serverEntry}`))
  return [...styles].map((url) => ({ url }))
}
