/**
 * Paths that search engines may index, without a query string. All other pages belong to one customer, or are reached
 * from a link in an email.
 */
const indexedPaths = ['/login/', '/forgot-password/', '/activate/', '/activate/plans/']

export const robots = (): Buffer =>
  Buffer.from(
    ['User-agent: *', ...indexedPaths.map((path) => `Allow: ${path}$`), 'Allow: /static/', 'Disallow: /', ''].join(
      '\n',
    ),
  )
