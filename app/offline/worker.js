// Shows the offline page where a page cannot be had. It keeps that page's own files and nothing else: no page, no answer of
// the API and no script of the portal, so that a new build never waits for it and nothing of a customer is in it.
// `name` and `files`, the page first, come before this.

const page = files[0]

async function keep() {
  const cache = await caches.open(name)
  // Past the browser's own cache, which may have what was there before.
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))
  await self.skipWaiting()
}

async function takeOver() {
  for (const other of await caches.keys()) if (other !== name) await caches.delete(other)
  // A page is asked for while this wakes up.
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
  // A download that fails is no page.
  else if (request.mode === 'navigate' && !pathname.startsWith('/api/')) event.respondWith(pageOrOffline(event))
})
