import { BannersSection } from './BannersSection.tsx'
import { FiguresSection } from './FiguresSection.tsx'
import { ProgressSection } from './ProgressSection.tsx'
import { TablesSection } from './TablesSection.tsx'
import { ToastsSection } from './ToastsSection.tsx'
import { WaitingSection } from './WaitingSection.tsx'
import { TextSection } from './TextSection.tsx'

export default function FeedbackPart() {
  return (
    <>
      <BannersSection />
      <ToastsSection />
      <ProgressSection />
      <WaitingSection />
      <TablesSection />
      <FiguresSection />
      <TextSection />
    </>
  )
}
