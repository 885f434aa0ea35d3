/** Headers of every answer. No inline script runs anywhere, and no style but one that its page's own policy names; no page frames us. */
export function securityHeaders({
  secure,
  development,
  permissions = [],
}: {
  secure: boolean
  development: boolean
  /** What pages may use of the browser beside what is switched off. */
  permissions?: readonly string[] | undefined
}): Record<string, string> {
  return {
    'content-security-policy': development ? developmentPolicy : policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': ['camera=()', 'geolocation=()', 'microphone=()', 'payment=()', ...permissions].join(', '),
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/**
 * Has a browser forget what it keeps of the portal: pages, and what scripts have stored. Cookies are ended one by one: the one
 * that says that this browser has signed in here before outlives every session. No browser does this for plain http from elsewhere.
 */
export function clearBrowser(publicUrl: string): Record<string, string> {
  const { protocol, hostname } = new URL(publicUrl)
  const isHeard = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return isHeard ? { 'clear-site-data': '"cache", "storage"' } : {}
}

/** The policy of a page; `style`: the source (`'sha256-…'`) of the sheet inside it. */
export const pagePolicy = (style: string): string => policyOf(` ${style}`)

const policyOf = (style = ''): string =>
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

const policy = policyOf()

// Hot reload injects scripts and styles into the page, talks over a web socket, and waits in a worker for a server that restarts.
const developmentPolicy =
  "default-src 'self' 'unsafe-inline'; connect-src 'self' ws:; img-src 'self' data:; worker-src blob:; frame-ancestors 'none'"
