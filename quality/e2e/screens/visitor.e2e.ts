import { showAll } from './show.ts'
import { visitorScreens } from './visitor.screens.ts'

showAll('visitor', visitorScreens)
