import { Suspense, useDeferredValue, useMemo } from 'react'
import type { PageProps } from '#kit/web/page.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { servicesUnavailable } from '#features/services/web/services.queries.ts'
import { useServices } from '#features/services/web/use-services.ts'
import { later } from './later.ts'
import { ServiceNav } from './ServiceNav.tsx'
import { ServiceView } from './ServiceView.tsx'
import { useTablet } from './use-tablet.ts'
import { useWelcome } from './use-welcome.ts'
import s from './dashboard.module.css'

// Who has no number yet sees nothing else.
const NoServices = later('noServices')

/**
 * The list of services beside one of them; a phone shows the one or the other. Without a uuid the first service is open
 * where there is room, at the same address: so BACK leaves the dashboard, and nothing moves once the width is known.
 */
export default function DashboardPage({ params: { uuid } }: PageProps) {
  const { data, error, refetch } = useServices()
  // The width is known when the page has been taken over; what comes of it is done in small pieces, as that was.
  const isPhone = useDeferredValue(useTablet()) === false
  const sides = useMemo(() => data && sidesOf(data, uuid, isPhone), [data, uuid, isPhone])
  return sides ?? <NoList error={error} refetch={refetch} />
}

function sidesOf(services: Record<string, Service>, uuid: string | undefined, isPhone: boolean) {
  const all = Object.values(services)
  const isList = uuid === undefined
  const [first, second] = all
  const open = isList ? first : all.find((service) => service.uuid === uuid)
  if (!open)
    return isList ? (
      <Suspense>
        <NoServices />
      </Suspense>
    ) : (
      <NotFoundScreen />
    )
  // Who has one number sees it in full at once, on a phone too.
  const isOnly = isList && !second
  const isAside = isList && !isOnly
  return (
    <div className={`${s.dashboard} ${isOnly ? s.only : ''}`}>
      {(isList || !isPhone) && (
        <div className={isList ? '' : s.onTablet}>
          <ServiceNav services={all} open={isPhone ? null : open.uuid} heading={isList ? 'h1' : 'h2'} />
        </div>
      )}
      {!(isAside && isPhone) && (
        <div className={isAside ? s.onTablet : ''}>
          {/* Taken over by itself: a phone throws it away beside the list without having taken it over. */}
          <Suspense>
            <ServiceView key={open.uuid} service={open} heading={isList ? 'h2' : 'h1'} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** The list is on its way, or could not be had. */
function NoList({ error, refetch }: Pick<ReturnType<typeof useServices>, 'error' | 'refetch'>) {
  return (
    <>
      <PageTitle>{useWelcome()}</PageTitle>
      {error ? (
        <Unavailable what={servicesUnavailable} error={error} onRetry={refetch} />
      ) : (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
    </>
  )
}
