import { formatTime } from '#kit/contract/format-moment.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ContactLine } from '#kit/web/chrome/ContactLine.tsx'
import { Link, NewTabLink } from '#kit/web/Link.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { PortingProgress, PortingRequestView, Service } from '#features/services/services.contract.ts'
import { updateCachedService } from '#features/services/web/services.queries.ts'
import { formatDomesticNumber, isFailureUnacknowledged } from './transfer.labels.ts'
import * as s from './ServiceView.module.css'

export default function TransferNotice({ service }: { service: Service }) {
  const { uuid, porting_request: port } = service
  if (!port) return null
  if (isFailureUnacknowledged(service)) return <TransferFailed uuid={uuid} port={port} />
  return port.progress && <TransferInProgress uuid={uuid} port={port} progress={port.progress} />
}

type TransferProgressProps = { uuid: string; port: PortingRequestView; progress: PortingProgress }

function TransferInProgress({ uuid, port, progress }: TransferProgressProps) {
  const kind = progress.step === 'moved' ? 'good' : 'warn'
  return (
    <Banner
      kind={kind}
      {...(kind === 'warn' && { icon: 'clock' })}
      title={<TransferTitle port={port} progress={progress} />}
    >
      <TransferText port={port} progress={progress} />
      <p className={s.ways}>
        <Link className={s.go} href={`/services/${uuid}/port/`}>
          See progress
        </Link>
      </p>
    </Banner>
  )
}

function TransferTitle({ port: { msisdn }, progress: { step } }: Omit<TransferProgressProps, 'uuid'>) {
  const { brand } = useBootstrap()
  const number = <span className={s.whole}>{formatDomesticNumber(msisdn)}</span>
  if (step === 'moved') return <span key={step}>{number} has moved: put in your new SIM</span>
  return (
    <span key="moving">
      We’re moving {number} to {brand.shortName}
    </span>
  )
}

/** Status 1 is NEW and 2 is SUBMITTED. */
const isTransferOpen = ({ status }: PortingRequestView): boolean => status <= 2

/** The processing message comes before the step's own text, because it must show in every step of an open transfer (spec 2.4). */
function TransferText({ port, progress }: Omit<TransferProgressProps, 'uuid'>) {
  return (
    <>
      {isTransferOpen(port) && (
        <p>This normally takes about 4 hours in business hours, and we’ll email you when it’s done.</p>
      )}
      <StepText port={port} progress={progress} />
    </>
  )
}

function StepText({ port: { donor }, progress: { step, reply_by: by } }: Omit<TransferProgressProps, 'uuid'>) {
  const { market } = useBootstrap()
  switch (step) {
    case 'sent':
      return (
        <p key={step}>
          {
            {
              NZ: 'If you get a text that asks you to confirm the transfer, reply ‘Yes’ within 2 hours.',
              AU: 'If you get a text with a code, enter it here within 2 hours.',
            }[market.code]
          }
        </p>
      )
    case 'reply': {
      const replyDeadline = by && formatTime(by, market.zone)
      const replyInstruction = { NZ: 'Reply ‘Yes’ to the text', AU: 'Enter the code from the text' }
      return (
        <p key={step}>
          <b>{replyInstruction[market.code]}</b> on your old {donor} SIM{' '}
          <b>{replyDeadline ? `by ${replyDeadline}` : 'within 2 hours'}</b>, or the transfer will be cancelled.
        </p>
      )
    }
    case 'information':
      return (
        <p key={step}>
          <b>{donor} needs more details.</b> Your details didn’t show that the number is yours. Correct them and send
          your request again.
        </p>
      )
    case 'moved':
      return <p key={step}>Turn your phone off and on again. Your old {donor} SIM no longer works.</p>
    case 'moving':
      return null
  }
}

function TransferFailed({ uuid, port }: { uuid: string; port: PortingRequestView }) {
  const api = useApi()
  const client = useQueryClient()
  const { layout, brand } = useBootstrap()
  const { mutate, isPending, isError, error } = useMutation({
    async mutationFn() {
      // Import the contract on demand, because it also contains the transfer form's schemas, which this page does not need.
      const { acknowledgePortFailure } = await import('#features/porting/port-service.contract.ts')
      return api.call(acknowledgePortFailure, { params: { uuid }, body: {} })
    },
    onSuccess: ({ data }) => updateCachedService(client, uuid, { porting_request: { ...port, ...data } }),
  })
  return (
    <>
      <Banner
        kind="bad"
        title={
          <span>
            <span className={s.whole}>{formatDomesticNumber(port.msisdn)}</span> didn’t move
          </span>
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
