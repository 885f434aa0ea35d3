import { colourNames, type Colours, type BrandAssets } from '#kit/contract/brand.ts'

/** Give every colour name a different colour, so that tests can tell which name a page used. */
export const testColours = Object.fromEntries(
  colourNames.map((name, at) => [name, { light: `#a0${hex(at)}01`, dark: `#0d${hex(at)}02` }]),
) as Colours

function hex(value: number): string {
  return value.toString(16).padStart(2, '0')
}

const logoSvg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="12"/></svg>',
)

export const testBrandAssets: BrandAssets = {
  colours: testColours,
  files: new Map([
    ['mark-1a2b3c4d.svg', logoSvg],
    ['icon.svg', logoSvg],
    ...['icon-180.png', 'icon-192.png', 'icon-512.png'].map((name) => [name, Buffer.from(name)] as const),
  ]),
}
