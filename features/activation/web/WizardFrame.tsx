import type { ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { useHistorySteps } from './wizard.ts'

/*
 * The wizard has four steps, or three for signed-in customers, whose details are already known. For a number transfer,
 * the first step in the bar is called “Number Transfer Details” (specification 2.3) instead of “SIM Pack Details”, so
 * the number of steps never grows along the way.
 */
const stepTitles = {
  sim: 'SIM Pack Details',
  porting: 'Number Transfer Details',
  personal: 'Personal Details',
  plan: 'Prepay Plan Details',
  payment: 'Payment Details',
}

type Step = keyof typeof stepTitles

export type FrameProps = {
  step: Step
  porting: boolean
  title: string
  intro?: ReactNode
  aside?: ReactNode
  asideNarrow?: 'above' | 'below' | 'hidden'
  wide?: boolean
  children: TextFreeNode
}

export function WizardFrame({ step, porting, title, intro, aside, asideNarrow, wide = false, children }: FrameProps) {
  useHistorySteps()
  // The page's loader has already loaded the account, so this query does not need to run.
  const signedInUser = useQuery({ ...accountQuery(useApi()), enabled: false }).data?.authenticated
  const steps: Step[] = [porting ? 'porting' : 'sim', ...(signedInUser ? [] : ['personal' as const]), 'plan', 'payment']
  return (
    <>
      <StepBar steps={steps.map((stepName) => stepTitles[stepName])} current={steps.indexOf(step)} />
      <PageTitle lead={intro}>{title}</PageTitle>
      {wide ? (
        children
      ) : (
        <Columns aside={aside} narrow={asideNarrow}>
          {children}
        </Columns>
      )}
    </>
  )
}
