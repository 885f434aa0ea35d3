/**
 * Queue of links to mail: `{ sealedEmail, sealedNext, requestId, sessionId }`. The address is sealed: whether it has an account
 * may not be read here.
 */
export const mailResetLinkJob = 'auth.password-reset'

/** Such a job, sealed anew by `reseal`; null where there is nothing to do. */
export function resealResetLink(
  data: Record<string, unknown>,
  reseal: (sealed: string) => string | null,
): Record<string, unknown> | null {
  const fresh = ['sealedEmail', 'sealedNext'].flatMap((field) => {
    const sealed = reseal(String(data[field] ?? ''))
    return sealed ? [[field, sealed]] : []
  })
  return fresh.length > 0 ? { ...data, ...Object.fromEntries(fresh) } : null
}
