/**
 * Builds the security headers for every response. Inline scripts never run, an inline style applies only if its page's own policy names it,
 * and no other site can frame our pages.
 */
export function buildSecurityHeaders({
  secure,
  development,
  permissions = [],
}: {
  secure: boolean
  development: boolean
  permissions?: readonly string[] | undefined
}): Record<string, string> {
  return {
    'content-security-policy': development ? developmentPolicy : defaultPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': ['camera=()', 'geolocation=()', 'microphone=()', 'payment=()', ...permissions].join(', '),
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/**
 * Builds the header that makes a browser delete its cache and script storage for the portal. Cookies are cleared individually instead,
 * because the known-browser cookie must outlive the session. Browsers ignore this header over plain http, except from their own machine.
 */
export function buildClearSiteDataHeaders(publicUrl: string): Record<string, string> {
  const { protocol, hostname } = new URL(publicUrl)
  const isHeaderHonoured = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return isHeaderHonoured ? { 'clear-site-data': '"cache", "storage"' } : {}
}

export const buildPagePolicy = (style: string): string => buildContentSecurityPolicy(` ${style}`)

const buildContentSecurityPolicy = (style = ''): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${style}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const defaultPolicy = buildContentSecurityPolicy()

// In development, hot reload injects scripts and styles, opens a web socket, and uses a worker to wait for the server to restart.
const developmentPolicy =
  "default-src 'self' 'unsafe-inline'; connect-src 'self' ws:; img-src 'self' data:; worker-src blob:; frame-ancestors 'none'"
