import { showAll } from './show.ts'
import { wizardScreens } from './wizard.screens.ts'

showAll('wizard', wizardScreens)
