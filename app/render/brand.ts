import type { Brand } from '#kit/contract/bootstrap.ts'
import { colourNames, type Colours, type BrandAssets } from '#kit/contract/brand.ts'
import { type Assets, createAsset, oneDayCache, immutableCache } from './assets.ts'
import type { SharedAssets } from './renderer.ts'
import { siteManifest } from './site-manifest.ts'

const folder = '/static/brand/'

export function createBrandStyleSheet(colours: Colours): string {
  const values = colourNames.map((name) => {
    const { light, dark } = colours[name]
    return `--${name}:${light === dark ? shortenColour(light) : `light-dark(${shortenColour(light)},${shortenColour(dark)})`}`
  })
  return `:root{${values.join(';')}}`
}

const shortenColour = (colour: string): string => colour.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')

export function brandAssets(brand: Brand, { colours, files }: BrandAssets): SharedAssets {
  const assets: Assets = new Map()
  for (const [name, body] of files)
    assets.set(folder + name, createAsset(name, body, folder + name === brand.mark ? immutableCache : oneDayCache))
  assets.set('/static/site.webmanifest', createAsset('site.webmanifest', siteManifest(brand, colours), oneDayCache))
  // Browsers request `/favicon.ico` for responses without an icon link, such as PDFs. They accept any image format under that name.
  const icon = files.get('icon-192.png')
  if (icon) assets.set('/favicon.ico', createAsset('icon-192.png', icon, oneDayCache))
  return { assets, colours: createBrandStyleSheet(colours), paper: colours.paper }
}
