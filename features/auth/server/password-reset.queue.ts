/** Queue of links to mail: `{ sealedEmail, requestId, sessionId }`. The address is sealed: whether it has an account is nobody's business. */
export const mailResetLinkJob = 'auth.password-reset'
