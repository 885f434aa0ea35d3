import { useState } from 'react'
import { formatNational } from '#kit/contract/phone.ts'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import { cancelOwnPort } from '../port-service.contract.ts'
import { lastPortQuery } from './porting.queries.ts'
import * as s from './transfer.module.css'

type Props = { uuid: string; port: PortingRequestView }

export function CancelTransfer({ uuid, port }: Props) {
  const [open, setOpen] = useState(false)
  const isAwaitingInformation = port.progress?.step === 'information'
  return (
    <>
      <Button
        kind={isAwaitingInformation ? 'primary' : 'quiet'}
        wide={isAwaitingInformation}
        onClick={() => setOpen(true)}
      >
        {isAwaitingInformation ? 'Correct my details' : 'Cancel the transfer'}
      </Button>
      <Dialog
        title={isAwaitingInformation ? 'Correct and resend your request?' : 'Cancel the transfer?'}
        open={open}
        onClose={() => setOpen(false)}
      >
        <CancelConfirmation uuid={uuid} port={port} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function CancelConfirmation({ uuid, port, onClose }: Props & { onClose: () => void }) {
  const api = useApi()
  const client = useQueryClient()
  const { mutate, isPending, isError, error } = useMutation({
    async mutationFn() {
      await api.call(cancelOwnPort, { params: { uuid } })
      // Reload the last transfer first, so that its details are already in the form when the form appears.
      await client.refetchQuery(lastPortQuery(api, uuid))
      await reloadServices(api, client)
    },
    onSuccess: onClose,
  })
  const number = <span className={s.whole}>{formatNational(port.msisdn)}</span>
  const isAwaitingInformation = port.progress?.step === 'information'
  return (
    <>
      <p>
        {isAwaitingInformation ? (
          <span key="asked">
            We’ll stop this request and show you the details you sent for {number}. You can correct them and send it
            again.
          </span>
        ) : (
          <span key="sent">
            {number} stays with {port.donor}, and your plan with us continues. You can request the transfer again at any
            time.
          </span>
        )}
      </p>
      <div role="alert">{isError && <FailureBanner error={error} />}</div>
      <div className={s.choice}>
        <BusyButton busy={isPending} busyText="Contacting the network" onClick={() => void mutate()}>
          {isAwaitingInformation ? 'Stop and correct details' : 'Cancel the transfer'}
        </BusyButton>
        <Button kind="quiet" onClick={onClose}>
          Keep the transfer
        </Button>
      </div>
    </>
  )
}
