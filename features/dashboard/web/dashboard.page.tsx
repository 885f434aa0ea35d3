import { Suspense } from 'react'
import type { PageProps } from '#kit/web/page.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { servicesUnavailable } from '#features/services/web/services.queries.ts'
import { useServices } from '#features/services/web/use-services.ts'
import { useShownNumbers } from '#features/services/web/use-shown-numbers.ts'
import { later } from './later.ts'
import { ServiceNav } from './ServiceNav.tsx'
import { ServiceView } from './ServiceView.tsx'
import { useTablet } from './use-tablet.ts'
import { useWelcome } from './use-welcome.ts'
import * as s from './dashboard.module.css'

const NoServices = later('noServices')

/**
 * The list of services beside one service; a narrow screen shows only one of the two. Without a uuid, a wide screen
 * shows the first service at the same URL. BACK therefore leaves the dashboard, and nothing moves once the width is
 * known.
 */
export default function DashboardPage({ params: { uuid } }: PageProps) {
  const services = useServices()
  const tablet = useTablet()
  const all = Object.values(services.data ?? {})
  const shown = useShownNumbers(all, uuid)
  if (!services.data) return <NoList {...services} />

  const open = uuid === undefined ? shown.numbers[0] : all.find((service) => service.uuid === uuid)
  if (!open) return uuid === undefined ? <Nothing /> : <NotFoundScreen />
  const isList = uuid === undefined
  const isOnly = isList && all.length === 1
  return (
    <div className={`${s.dashboard} ${isOnly ? s.only : ''}`}>
      {(tablet !== false || isList) && (
        <div className={isList ? '' : s.onTablet}>
          <ServiceNav shown={shown} open={tablet === false ? null : open.uuid} heading={isList ? 'h1' : 'h2'} />
        </div>
      )}
      {(tablet !== false || !isList || isOnly) && (
        <div className={isList && !isOnly ? s.onTablet : ''}>
          <ServiceView key={open.uuid} service={open} heading={isList ? 'h2' : 'h1'} />
        </div>
      )}
    </div>
  )
}

const Nothing = () => (
  <Suspense>
    <NoServices />
  </Suspense>
)

function NoList({ error, refetch }: Pick<ReturnType<typeof useServices>, 'error' | 'refetch'>) {
  return (
    <>
      <PageTitle>{useWelcome()}</PageTitle>
      {error ? (
        <Unavailable what={servicesUnavailable} error={error} onRetry={() => void refetch()} />
      ) : (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
    </>
  )
}
