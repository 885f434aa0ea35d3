import type { Service } from '#features/services/services.contract.ts'

/** Whether the number transfer has failed: status 4 is FAILED. Importing the named constant would load the whole state table. */
export const hasPortFailed = ({ porting_request }: Service): boolean => porting_request?.status === 4
export const isFailureUnacknowledged = (service: Service): boolean =>
  hasPortFailed(service) && !service.porting_request?.failure_acknowledged_at

/** Formats a New Zealand or Australian mobile number nationally. `formatNational` handles any number, but would make the page too large. */
export const formatDomesticNumber = (msisdn: string): string =>
  msisdn.replace(/^\+64(\d\d)(\d{3})(\d+)$/, '0$1 $2 $3').replace(/^\+61(\d{3})(\d{3})(\d+)$/, '0$1 $2 $3')
