// Written by `npm run texts`.
declare const messages: {
  "attach": "Attach a file",
  "title": "{count, plural, one {Send a file} other {Send # files}}",
  "dropHere": "Drop files here to send them",
  "states": {
    "sending": "Sending",
    "sent": "Sent",
    "failed": "Not sent",
    "unknown": "Unknown"
  },
  "sentOf": "{sent, number} of {all, number} sent",
  "takeOut": "Take {name} out",
  "caption": "Caption",
  "captionHint": "{count, plural, one {Shown below the file. Optional.} other {Shown below the first file. Optional.}}",
  "size": "{megabytes, number} MB",
  "kilobytes": "{kilobytes, number} kB",
  "send": "Send",
  "uploading": "Uploading {name}",
  "stop": "Stop the upload",
  "stopped": "The upload was stopped. The file was not sent.",
  "leave": "Leave",
  "stay": "Stay",
  "leaveTitle": "Leave before all files are sent?",
  "leaveText": "{count, plural, one {# file has not been sent yet.} other {# files have not been sent yet.}}",
  "headerFile": {
    "image": "Photo of the header",
    "video": "Video of the header",
    "document": "Document of the header"
  },
  "useUrl": "Use a URL instead",
  "useFile": "Upload a file instead",
  "empty": "This file is empty.",
  "wrongKind": "{kind, select, image {Choose a JPEG or PNG file.} video {Choose an MP4 or 3GPP file.} other {Choose a PDF, text, Word, Excel or PowerPoint file.}}",
  "notTaken": "WhatsApp doesn’t take this type of file. You can send photos (JPEG, PNG), videos (MP4, 3GPP), audio (AAC, AMR, MP3, M4A, OGG) and documents (PDF, text, Word, Excel, PowerPoint).",
  "tooLong": "{kind, select, image {This photo has {megabytes, number} MB. WhatsApp takes photos up to {max, number} MB.} video {This video has {megabytes, number} MB. WhatsApp takes videos up to {max, number} MB.} audio {This audio file has {megabytes, number} MB. WhatsApp takes audio up to {max, number} MB.} other {This document has {megabytes, number} MB. WhatsApp takes documents up to {max, number} MB.}}",
  "limit": "{kind, select, image {JPEG or PNG, up to {max, number} MB.} video {MP4 or 3GPP, up to {max, number} MB.} audio {AAC, AMR, MP3, M4A or OGG, up to {max, number} MB.} other {PDF, text, Word, Excel or PowerPoint, up to {max, number} MB.}}"
};
export = messages;
