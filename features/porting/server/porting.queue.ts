/** Queue of transfers to hand in, to ask about or to call off: `{ externalId }`. */
export const followPortJob = 'porting.follow'
