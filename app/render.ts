import { join } from 'node:path'
import { assetOf, forADay, readAssets } from './render/assets.ts'
import { builtRenderer } from './render/built.ts'
import type { Renderer, RendererOptions } from './render/renderer.ts'
import { siteManifest } from './render/site-manifest.ts'

/** Makes what turns a URL into a page. */
export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  const shared = await readAssets(join(import.meta.dirname, 'web/static'), '/static/', forADay)
  shared.set('/static/site.webmanifest', assetOf('site.webmanifest', siteManifest(options.brand), forADay))
  if (options.mode === 'built') return builtRenderer(options, shared)
  // Vite's server is a matter of development; production never loads it.
  const { devRenderer } = await import('./render/dev.ts')
  return devRenderer(options, shared)
}
