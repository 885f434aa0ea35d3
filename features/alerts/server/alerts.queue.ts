/** Queue of services whose use is to be looked at: `{ serviceId, until }`, the second an ISO 8601 instant. */
export const lookAtUseJob = 'alerts.look'
