import type { Brand } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'

export function siteManifest(brand: Brand, { paper, brand: main }: Pick<Colours, 'paper' | 'brand'>): Buffer {
  return Buffer.from(
    JSON.stringify({
      name: brand.name,
      short_name: brand.shortName,
      start_url: '/',
      display: 'standalone',
      background_color: paper.light,
      theme_color: main.light,
      icons: [
        { src: '/static/brand/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        { src: '/static/brand/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/static/brand/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
      ],
    }),
  )
}
