import type { Service } from '#features/services/services.contract.ts'

/** Status 4 means FAILED. Importing the state definitions would add all transitions to the page. */
export const hasPortFailed = ({ porting_request }: Service): boolean => porting_request?.status === 4
export const isFailureUnacknowledged = (service: Service): boolean =>
  hasPortFailed(service) && !service.porting_request?.failure_acknowledged_at

/** A number in national format. `formatNational` handles every number, but is too large for this page. */
export const formatDomestic = (msisdn: string): string =>
  msisdn.replace(/^\+64(\d\d)(\d{3})(\d+)$/, '0$1 $2 $3').replace(/^\+61(\d{3})(\d{3})(\d+)$/, '0$1 $2 $3')
