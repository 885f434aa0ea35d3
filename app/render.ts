import { buildPortal } from './build.ts'
import { createAsset, oneDayCache } from './render/assets.ts'
import { brandAssets } from './render/brand.ts'
import { createPrebuiltRenderer } from './render/prebuilt-renderer.ts'
import { firstPageEntry } from './render/chunks.ts'
import { offlineAssets } from './render/offline.ts'
import { base, noScriptMessage, type Renderer, type RendererOptions } from './render/renderer.ts'
import { robots } from './render/robots.ts'

export async function createRenderer(options: RendererOptions): Promise<Renderer> {
  const sharedAssets = brandAssets(options.brand, options.look)
  sharedAssets.assets.set('/robots.txt', createAsset('robots.txt', robots(), oneDayCache))
  for (const [path, asset] of offlineAssets(options.brand, sharedAssets.colours)) sharedAssets.assets.set(path, asset)
  if (options.mode === 'built')
    return createPrebuiltRenderer(sharedAssets, {
      folder: buildPortal,
      base,
      beginningOf: firstPageEntry,
      needsScript: noScriptMessage,
    })
  const { createDevRenderer } = await import('./render/dev.ts')
  return createDevRenderer(sharedAssets)
}
