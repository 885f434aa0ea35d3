import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ContactLine } from '#kit/web/chrome/ContactLine.tsx'
import { Link, NewTabLink } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { PortingRequestView, Service } from '#features/services/services.contract.ts'
import { changeService } from '#features/services/web/services.queries.ts'
import { asAtHome, isFailureUnread } from './use-services.ts'
import s from './ServiceView.module.css'

/** Of a transfer of this service that is under way, or failed and is unread. */
export default function PortNews({ service }: { service: Service }) {
  const port = service.porting_request
  if (!port) return null
  return isFailureUnread(service) ? <Failed uuid={service.uuid} port={port} /> : <Processing msisdn={port.msisdn} />
}

function Processing({ msisdn }: { msisdn: string }) {
  const { brand } = useBootstrap()
  return (
    <Banner
      kind="warn"
      icon="clock"
      title={
        <>
          We’re moving <span className={s.whole}>{asAtHome(msisdn)}</span> to {brand.shortName}
        </>
      }
    >
      This normally takes about 4 hours in business hours, and we’ll email you when it’s done. If you get a text that
      asks you to confirm it, reply ‘Yes’ within 2 hours.
    </Banner>
  )
}

function Failed({ uuid, port }: { uuid: string; port: PortingRequestView }) {
  const api = useApi()
  const client = useQueryClient()
  const { layout, brand } = useBootstrap()
  const { mutate, isPending, isError, error } = useMutation({
    async mutationFn() {
      // It comes with the schemas of the transfer's form.
      const { acknowledgePortFailure } = await import('#features/porting/port-service.contract.ts')
      return api.call(acknowledgePortFailure, { params: { uuid }, body: {} })
    },
    onSuccess: ({ data }) => changeService(client, uuid, { porting_request: { ...port, ...data } }),
  })
  return (
    <>
      <Banner
        kind="bad"
        title={
          <>
            <span className={s.whole}>{asAtHome(port.msisdn)}</span> didn’t move
          </>
        }
        onClose={() => void (isPending || mutate())}
      >
        {port.reason_text && <p>{port.reason_text}</p>}
        {port.reason !== 'cancelled' && (
          <p>
            Sorry, your request to Transfer (Port) your Existing Phone Number to the provider has failed. Please try
            again or check the FAQ for instructions on what to do next.
          </p>
        )}
        <p className={s.ways}>
          <Link className={s.go} href={`/services/${uuid}/port/`}>
            Try Again
          </Link>
          <NewTabLink className={s.go} href={layout.faq_url}>
            FAQ
          </NewTabLink>
        </p>
        <ContactLine help={brand.help} />
      </Banner>
      {isError && <FailureBanner error={error} />}
    </>
  )
}
