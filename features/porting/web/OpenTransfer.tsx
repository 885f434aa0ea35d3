import { lazy, Suspense } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { CancelTransfer } from './CancelTransfer.tsx'
import { TransferSteps } from './TransferSteps.tsx'
import * as s from './transfer.module.css'

const EnterCode = lazy(() => import('./EnterCode.tsx'))
const ReplyExample = lazy(() => import('./ReplyExample.tsx'))

type Props = { uuid: string; port: PortingRequestView; progress: PortingProgress; own: string }

export function OpenTransfer({ uuid, port, progress, own }: Props) {
  const { step, is_cancelling: isCancelling } = progress
  const { brand, market } = useBootstrap()
  const isUrgent = isCancelling || step === 'reply' || step === 'information'
  return (
    <div className={`${s.transfer} ${isUrgent ? s.urgent : ''}`}>
      <div className={s.first}>
        {isCancelling && (
          <Banner kind="info" title="We’re cancelling the transfer">
            {port.donor} still has to agree. This page updates automatically when the result is known.
          </Banner>
        )}
        {step === 'reply' && !isCancelling && (
          <Suspense>
            {market.code === 'AU' ? (
              <EnterCode uuid={uuid} port={port} progress={progress} />
            ) : (
              <ReplyExample port={port} progress={progress} />
            )}
          </Suspense>
        )}
        {step === 'information' && !isCancelling && <InformationRequest uuid={uuid} port={port} />}
      </div>
      <Card>
        <TransferSteps port={port} progress={progress} own={own} />
      </Card>
      <div className={s.rest}>
        <p className={s.note}>
          {step === 'moved' ? (
            <span key="moved">
              Your old {port.donor} SIM no longer works. If your new one doesn’t work either, call us on{' '}
              {brand.help.phone}.
            </span>
          ) : (
            <span key="moving">
              Any credit left with {port.donor} won’t transfer. Your plan with us has already started.
            </span>
          )}
        </p>
        {(step === 'sent' || step === 'reply') && !isCancelling && <CancelTransfer uuid={uuid} port={port} />}
      </div>
    </div>
  )
}

const InformationRequest = ({ uuid, port }: { uuid: string; port: PortingRequestView }) => (
  <section aria-labelledby="asks" className={`${s.card} ${s.waiting}`}>
    <h2 id="asks">{port.donor} needs more details</h2>
    <p className={s.asks}>
      Your provider couldn’t tell from your details that the number is yours. Check the number, the provider and the{' '}
      {port.billing_method === 1 ? 'SIM number' : 'account number'}. We’ll stop this request so you can send it again
      with the right details.
    </p>
    <CancelTransfer uuid={uuid} port={port} />
  </section>
)
