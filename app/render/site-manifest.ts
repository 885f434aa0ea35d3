import type { Brand } from '#kit/contract/bootstrap.ts'

/** The web manifest: how the portal looks on a home screen. */
export function siteManifest(brand: Brand): Buffer {
  return Buffer.from(
    JSON.stringify({
      name: brand.name,
      short_name: brand.shortName,
      start_url: '/',
      display: 'standalone',
      background_color: '#f7f6f1',
      theme_color: '#0b5f57',
      icons: [
        { src: '/static/icon.svg', sizes: 'any', type: 'image/svg+xml' },
        { src: '/static/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/static/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
      ],
    }),
  )
}
