import { Suspense } from 'react'
import type { PageProps } from '#kit/web/page.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { servicesUnavailableMessage } from '#features/services/web/services.queries.ts'
import { useServices } from '#features/services/web/use-services.ts'
import { useShownNumbers } from '#features/services/web/use-shown-numbers.ts'
import { createLazyComponent } from './create-lazy-component.ts'
import { ServiceNav } from './ServiceNav.tsx'
import { ServiceView } from './ServiceView.tsx'
import { useIsTablet } from './use-is-tablet.ts'
import { useGreeting } from './use-greeting.ts'
import * as s from './dashboard.module.css'

const NoServices = createLazyComponent('noServices')

/**
 * Shows the list of services beside the open service; a narrow screen shows only one of the two. If the URL has no uuid,
 * a wide screen opens the first service without navigating to it, so that the browser's Back button leaves the dashboard
 * and the layout does not jump once the screen's width is known.
 */
export default function DashboardPage({ params: { uuid } }: PageProps) {
  const services = useServices()
  const isTablet = useIsTablet()
  const allServices = Object.values(services.data ?? {})
  const shownNumbers = useShownNumbers(allServices, uuid)
  if (!services.data) return <ServicesPlaceholder {...services} />

  const openService =
    uuid === undefined ? shownNumbers.numbers[0] : allServices.find((service) => service.uuid === uuid)
  if (!openService) return uuid === undefined ? <NoServicesView /> : <NotFoundScreen />
  const isListView = uuid === undefined
  const isOnlyService = isListView && allServices.length === 1
  return (
    <div className={`${s.dashboard} ${isOnlyService ? s.only : ''}`}>
      {(isTablet !== false || isListView) && (
        <div className={isListView ? '' : s.onTablet}>
          <ServiceNav
            shown={shownNumbers}
            open={isTablet === false ? null : openService.uuid}
            heading={isListView ? 'h1' : 'h2'}
          />
        </div>
      )}
      {(isTablet !== false || !isListView || isOnlyService) && (
        <div className={isListView && !isOnlyService ? s.onTablet : ''}>
          <ServiceView key={openService.uuid} service={openService} heading={isListView ? 'h2' : 'h1'} />
        </div>
      )}
    </div>
  )
}

const NoServicesView = () => (
  <Suspense>
    <NoServices />
  </Suspense>
)

function ServicesPlaceholder({ error, refetch }: Pick<ReturnType<typeof useServices>, 'error' | 'refetch'>) {
  return (
    <>
      <PageTitle>{useGreeting()}</PageTitle>
      {error ? (
        <Unavailable what={servicesUnavailableMessage} error={error} onRetry={() => void refetch()} />
      ) : (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
    </>
  )
}
