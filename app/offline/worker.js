/*
 * Service worker that shows the offline page when a page cannot be loaded. It caches only the offline page's own files, and no pages,
 * API responses or scripts of the portal. A new build therefore never waits for the worker, and the cache contains no customer data.
 * The server puts the constants `name` and `files` before this code; the first file is the offline page.
 */

const page = files[0]

async function keep() {
  const cache = await caches.open(name)
  // The requests bypass the browser's HTTP cache, which may contain earlier versions of the files.
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))
  await self.skipWaiting()
}

async function takeOver() {
  for (const other of await caches.keys()) if (other !== name) await caches.delete(other)
  // With navigation preload, the browser requests a page while this worker is still starting.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

const kept = async (file) => (await caches.open(name)).match(file, { ignoreVary: true })

async function pageOrOffline(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (failure) {
    const offline = await kept(page)
    if (offline) return offline
    throw failure
  }
}

const keptOrAsked = async (request, file) => (await kept(file)) ?? fetch(request)

self.addEventListener('install', (event) => event.waitUntil(keep()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const { origin, pathname } = new URL(request.url)
  if (origin === location.origin && files.includes(pathname)) event.respondWith(keptOrAsked(request, pathname))
  // The offline page replaces only pages. A failed download under `/api/` keeps its error.
  else if (request.mode === 'navigate' && !pathname.startsWith('/api/')) event.respondWith(pageOrOffline(event))
})
