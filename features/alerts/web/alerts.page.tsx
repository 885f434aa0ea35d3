import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { alertMessages, alertSettingsSchema, type AlertsView, saveAlerts } from '../alerts.contract.ts'
import { alertsQuery } from './alerts.queries.ts'
import { PlanEndSwitch, UsageSwitch } from './AlertSwitches.tsx'
import * as s from './alerts.module.css'

export default function AlertsPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const api = useApi()
  const services = useQuery(servicesQuery(api)).data
  const { data, error, refetch } = useQuery(alertsQuery(api, uuid))
  const phoneNumber = services?.[uuid]?.phone_number
  if ((services && !services[uuid]) || (error instanceof ApiError && error.status === 404)) return <NotFoundScreen />
  return (
    <div className={s.page}>
      <Breadcrumb href={`/services/${uuid}/`} text={phoneNumber ?? 'Back to your service'} />
      <PageTitle>Alerts</PageTitle>
      {error && !data ? (
        <Unavailable what="Your alerts can’t be loaded right now." error={error} onRetry={() => void refetch()} />
      ) : (
        <Card>{data ? <AlertsForm uuid={uuid} number={phoneNumber} alerts={data} /> : <Skeleton lines={8} />}</Card>
      )}
    </div>
  )
}

type Props = { uuid: string; number: string | undefined; alerts: AlertsView }

function AlertsForm({ uuid, number = 'this number', alerts }: Props) {
  const form = useAlertsForm(uuid, alerts)
  const { percents } = alerts
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <fieldset className={s.group}>
        <legend>Your data</legend>
        <p className={s.note}>
          We alert you once per data cycle at each level, by text to {number} or by email. We don’t send these at night,
          except when your data has run out.
        </p>
        <UsageSwitch form={form} name="half" label={`${percents.half}% used`} />
        <UsageSwitch form={form} name="most" label={`${percents.most}% used`} />
        <UsageSwitch form={form} name="all" label={`${percents.all}% used`} />
      </fieldset>
      <fieldset className={s.group}>
        <legend>Your plan</legend>
        <PlanEndSwitch form={form} isFixed={alerts.end_fixed} />
      </fieldset>
      <FormActions>
        <SubmitButton form={form} pendingText="SAVING">
          SAVE
        </SubmitButton>
      </FormActions>
    </form>
  )
}

function useAlertsForm(uuid: string, { half, most, all, before_end }: AlertsView) {
  const api = useApi()
  const client = useQueryClient()
  return useForm({
    schema: alertSettingsSchema,
    initial: { half, most, all, before_end },
    draftKey: `alerts-${uuid}`,
    successMessage: alertMessages.saved,
    submit: (body) => api.call(saveAlerts, { params: { uuid }, body }),
    onSuccess: ({ data }) => client.setQueryData(alertsQuery(api, uuid).queryKey, data),
  })
}
