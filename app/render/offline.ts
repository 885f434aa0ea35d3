import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Brand } from '#kit/contract/bootstrap.ts'
import { buildTelLink } from '#kit/contract/links.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'
import { type Asset, type Assets, createAsset, immutableCache } from './assets.ts'

/** URL path of the service worker. It is at the root, because a service worker controls only pages in and below its own folder. */
export const workerPath = '/service-worker.js'

const folder = '/static/offline/'
const readSource = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../offline', name))

/**
 * Creates the offline page and the service worker that shows it when the browser has no network. Each file's name is a
 * hash of its content. The worker lists these names, so the worker itself changes with every brand and build.
 */
export function offlineAssets(brand: Brand, colours: string): Assets {
  const assets: Assets = new Map()
  const addAsset = (name: string, body: Buffer): string => {
    const asset = createAsset(name, body, immutableCache)
    const path = `${folder}${createHash('sha256').update(body).digest('hex').slice(0, 8)}-${name}`
    assets.set(path, asset)
    return path
  }
  const script = addAsset('offline-page.js', readSource('offline-page.js'))
  const sheet = addAsset(
    'offline-page.css',
    Buffer.concat([Buffer.from(`${colours}\n`), readSource('offline-page.css')]),
  )
  const page = addAsset('offline.html', offlinePage(brand, { script, sheet }))
  const mark = brand.mark.startsWith('/') ? [brand.mark] : []
  assets.set(workerPath, serviceWorkerAsset([page, script, sheet, ...mark]))
  return assets
}

function serviceWorkerAsset(files: string[]): Asset {
  const name = `offline-${createHash('sha256').update(files.join()).digest('hex').slice(0, 8)}`
  const workerConstants = `const name = ${JSON.stringify(name)}\nconst files = ${JSON.stringify(files)}\n`
  return createAsset(
    'service-worker.js',
    Buffer.concat([Buffer.from(workerConstants), readSource('worker.js')]),
    'no-cache',
  )
}

function offlinePage({ name, mark, help }: Brand, { script, sheet }: { script: string; sheet: string }): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>You’re offline | ${escapeHtml(name)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${sheet}">
<script type="module" src="${script}"></script>
</head>
<body>
<main>
<header><img src="${escapeHtml(mark)}" alt="" width="36" height="36">${escapeHtml(name)}</header>
<h1>You’re offline</h1>
<p>We can’t connect right now. Your plan works as usual. Check your connection, then try again.</p>
<button type="button">Try again</button>
<section aria-labelledby="left" hidden>
<h2 id="left">What you had left when we last checked</h2>
<ul></ul>
<p>This doesn’t include anything you’ve used since then. It’s stored only on this device, until you log out.</p>
</section>
<footer>Need a person? <a href="${escapeHtml(buildTelLink(help.phone))}">${escapeHtml(help.phone)}</a>, ${escapeHtml(help.hours)}</footer>
</main>
</body>
</html>
`)
}
