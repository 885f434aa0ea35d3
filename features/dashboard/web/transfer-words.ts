import type { Service } from '#features/services/services.contract.ts'

/** FAILED. The states themselves bring all their moves along. */
export const hasPortFailed = ({ porting_request }: Service): boolean => porting_request?.status === 4
/** Until the customer has said that they have read it. */
export const isFailureUnread = (service: Service): boolean =>
  hasPortFailed(service) && !service.porting_request?.failure_acknowledged_at

/** A number as it is written at home. `formatNational` knows every number, and weighs more than this page has room for. */
export const asAtHome = (msisdn: string): string =>
  msisdn.replace(/^\+64(\d\d)(\d{3})(\d+)$/, '0$1 $2 $3').replace(/^\+61(\d{3})(\d{3})(\d+)$/, '0$1 $2 $3')
