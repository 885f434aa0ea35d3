import { assetOf, forADay } from '#app/render/assets.ts'
import { brandAssets } from '#app/render/brand.ts'
import { builtRenderer } from '#app/render/built.ts'
import type { Renderer, RendererOptions } from '#app/render/renderer.ts'
import type { Brand } from '#kit/contract/bootstrap.ts'
import { buildDesk } from './build.ts'

const base = '/desk/build/'
export const beginning = 'desk/app/web/entry-client.tsx'
const needsScript = 'To use the desk, please switch on JavaScript in your browser.'
const robots = Buffer.from('User-agent: *\nDisallow: /\n')

export const deskBrand = (brand: Brand): Brand => ({
  ...brand,
  name: `${brand.shortName} desk`,
  description: `For ${brand.name} staff`,
})

/** Always uses a built bundle, because the desk has no development server of its own. */
export async function createDeskRenderer({ brand, look }: Omit<RendererOptions, 'mode'>): Promise<Renderer> {
  const own = deskBrand(brand)
  const shared = brandAssets(own, look)
  shared.assets.set('/robots.txt', assetOf('robots.txt', robots, forADay))
  const { render, registerAssets } = await builtRenderer(shared, {
    folder: buildDesk,
    base,
    beginningOf: () => beginning,
    needsScript,
  })
  return {
    registerAssets,
    render: (request) => render({ ...request, bootstrap: ownBootstrap(request.bootstrap, own) }),
  }
}

/** Removes the customers' menus and the public key of the card gateway, which the desk does not use. */
const ownBootstrap = (bootstrap: Parameters<Renderer['render']>[0]['bootstrap'], brand: Brand) => ({
  ...bootstrap,
  brand,
  layout: { ...bootstrap.layout, menus: { header: [], footer: [], short_footer: [] }, plan_selection_terms: [] },
  card: { ...bootstrap.card, publicKey: '' },
})
