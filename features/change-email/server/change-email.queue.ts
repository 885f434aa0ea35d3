/** Queue of mails to new addresses: `{ changeId }`. */
export const mailNewEmailJob = 'change-email.mail-new-address'
