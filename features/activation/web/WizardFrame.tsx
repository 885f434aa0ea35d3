import type { ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import type { Elements } from '#kit/web/text-elements.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { useStepsOfHistory } from './wizard.ts'

// Who is signed in has three steps: their details are known. Otherwise both variants have four, and the one that ports
// "starts with Number Transfer Details" (spec 2.3): that title takes the SIM pack's place, whose step is over once we know
// that a number comes along. So the bar never grows under its reader.
const titles = {
  sim: 'SIM Pack Details',
  porting: 'Number Transfer Details',
  personal: 'Personal Details',
  plan: 'Prepay Plan Details',
  payment: 'Payment Details',
}

type Step = keyof typeof titles

export type FrameProps = {
  step: Step
  /** Whether a number is brought along. */
  porting: boolean
  title: string
  intro?: ReactNode
  /** Stands beside the page on a desktop; on a phone where `asideNarrow` says. */
  aside?: ReactNode
  asideNarrow?: 'above' | 'below' | 'hidden'
  /** The page's whole width instead of a form's column. */
  wide?: boolean
  children: Elements
}

/** How a step of the wizard looks: the step bar, the heading, the form's column and what stands beside it. */
export function WizardFrame({ step, porting, title, intro, aside, asideNarrow, wide = false, children }: FrameProps) {
  useStepsOfHistory()
  // Every page comes with its account; it is not asked for here.
  const signedIn = useQuery({ ...accountQuery(useApi()), enabled: false }).data?.authenticated
  const steps: Step[] = [porting ? 'porting' : 'sim', ...(signedIn ? [] : ['personal' as const]), 'plan', 'payment']
  return (
    <>
      <StepBar steps={steps.map((each) => titles[each])} current={steps.indexOf(step)} />
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
