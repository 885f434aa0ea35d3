/** Queue of cycles whose use the network is asked for: `{ serviceId, startsAt }`. */
export const readCycleJob = 'history.read-cycle'
