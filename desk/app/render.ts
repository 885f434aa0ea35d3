import { createAsset, oneDayCache } from '#app/render/assets.ts'
import { brandAssets } from '#app/render/brand.ts'
import { createPrebuiltRenderer } from '#app/render/prebuilt-renderer.ts'
import type { Renderer, RendererOptions } from '#app/render/renderer.ts'
import type { Brand } from '#kit/contract/bootstrap.ts'
import { buildDesk } from './build.ts'

const basePath = '/desk/build/'
export const entryScript = 'desk/app/web/entry-client.tsx'
const noScriptMessage = 'To use the desk, please switch on JavaScript in your browser.'
const robots = Buffer.from('User-agent: *\nDisallow: /\n')

export const deskBrand = (brand: Brand): Brand => ({
  ...brand,
  name: `${brand.shortName} desk`,
  description: `For ${brand.name} staff`,
})

/** The desk always uses its production bundle, because it has no development server of its own. */
export async function createDeskRenderer({ brand, look }: Omit<RendererOptions, 'mode'>): Promise<Renderer> {
  const brandForDesk = deskBrand(brand)
  const sharedAssets = brandAssets(brandForDesk, look)
  sharedAssets.assets.set('/robots.txt', createAsset('robots.txt', robots, oneDayCache))
  const { render, registerAssets } = await createPrebuiltRenderer(sharedAssets, {
    folder: buildDesk,
    base: basePath,
    beginningOf: () => entryScript,
    needsScript: noScriptMessage,
  })
  return {
    registerAssets,
    render: (request) => render({ ...request, bootstrap: withoutCustomerData(request.bootstrap, brandForDesk) }),
  }
}

/** Removes the customers' menus and the card gateway's public key from the page data, because the desk uses neither. */
const withoutCustomerData = (bootstrap: Parameters<Renderer['render']>[0]['bootstrap'], brand: Brand) => ({
  ...bootstrap,
  brand,
  layout: { ...bootstrap.layout, menus: { header: [], footer: [] }, plan_selection_terms: [] },
  card: { ...bootstrap.card, publicKey: '' },
})
