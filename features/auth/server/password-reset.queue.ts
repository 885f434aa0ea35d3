/**
 * Queue of links to mail: `{ sealedEmail, sealedNext, requestId, sessionId }`. The address is sealed: whether it has an account
 * may not be read here.
 */
export const mailResetLinkJob = 'auth.password-reset'
