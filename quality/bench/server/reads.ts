export type Reader = { cookie: string; uuid: string; orderCode: string }

/** A read that can be repeated without hitting a rate limit. Reads of a service's usage are limited, so they are not included. */
export type Read = {
  name: string
  path(reader: Reader): string
  accepts?: string
  /** Whether the read returns a page. The reference for a page is React on its own, rendering the same page from the same data. */
  isPage?: true
}

export const reads: readonly Read[] = [
  { name: 'account', path: () => '/api/account/' },
  { name: 'services', path: () => '/api/services/' },
  { name: 'alerts of a service', path: ({ uuid }) => `/api/services/alerts/${uuid}/` },
  { name: 'invoices', path: ({ uuid }) => `/api/account/invoices/${uuid}/` },
  { name: 'one invoice', path: ({ uuid, orderCode }) => `/api/account/invoices/${uuid}/${orderCode}/` },
  { name: 'products', path: () => '/api/products/' },
  { name: 'login page', path: () => '/login/', isPage: true },
  { name: 'dashboard page', path: () => '/', isPage: true },
  { name: 'dashboard page, compressed', path: () => '/', accepts: 'gzip, deflate, br', isPage: true },
]

export const isSignedIn = ({ name }: Read): boolean => name !== 'login page'

export const buildHeaders = (read: Read, { cookie }: Reader): Record<string, string> => ({
  ...(isSignedIn(read) && { cookie }),
  ...(read.accepts && { 'accept-encoding': read.accepts }),
})
