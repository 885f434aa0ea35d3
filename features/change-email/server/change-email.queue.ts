/** Queue of mails to new addresses: `{ changeId }`. */
export const mailNewAddressJob = 'change-email.mail-new-address'
