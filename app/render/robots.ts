/**
 * What search engines may look at: the doors, as they are without a query. All other pages are a customer's own, or belong
 * to a link that a mail carries.
 */
const open = ['/login/', '/forgot-password/', '/activate/', '/activate/plans/']

export const robots = (): Buffer =>
  Buffer.from(
    ['User-agent: *', ...open.map((path) => `Allow: ${path}$`), 'Allow: /static/', 'Disallow: /', ''].join('\n'),
  )
