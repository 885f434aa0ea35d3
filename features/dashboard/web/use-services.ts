import { useApi } from '#kit/web/api.tsx'
import { type QueryResult, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { portingStatus } from '#features/porting/porting.states.ts'
import type { Service } from '#features/services/services.contract.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'

type Services = Record<string, Service>

/** How often what is under way is asked after, in milliseconds. */
const interval = 10_000

/** The customer's services; asked again and again while one of them has its number transferred, or its next plan cancelled. */
export function useServices(): QueryResult<Services> {
  const query = servicesQuery(useApi())
  const known = useQueryClient().getQueryData(query.queryKey)
  const waiting = Object.values(known ?? {}).some(
    (service) => isPorting(service) || service.outlook.state === 'next_plan_cancelling',
  )
  return useQuery({ ...query, ...(waiting && { refetchInterval: () => interval }) })
}

export const isPorting = ({ porting_request }: Service): boolean =>
  porting_request?.status === portingStatus.NEW || porting_request?.status === portingStatus.SUBMITTED
export const hasPortFailed = ({ porting_request }: Service): boolean => porting_request?.status === portingStatus.FAILED
/** Until the customer has said that they have read it. */
export const isFailureUnread = (service: Service): boolean =>
  hasPortFailed(service) && !service.porting_request?.failure_acknowledged_at

/** A number as it is written at home. `formatNational` knows every number, and weighs more than this page has room for. */
export const asAtHome = (msisdn: string): string =>
  msisdn.replace(/^\+64(\d\d)(\d{3})(\d+)$/, '0$1 $2 $3').replace(/^\+61(\d{3})(\d{3})(\d+)$/, '0$1 $2 $3')
