"use strict";
var mcpApp = {
  connect: function (info, capabilities) {
    var next = 1, waiting = new Map(), handlers = {}, kept = [];
    var names = {
      "ui/notifications/tool-input": "oninput", "ui/notifications/tool-input-partial": "oninputpartial",
      "ui/notifications/tool-result": "onresult", "ui/notifications/tool-cancelled": "oncancelled",
      "ui/notifications/host-context-changed": "oncontext",
    };
    function send(message) { message.jsonrpc = "2.0"; window.parent.postMessage(message, "*"); }
    function notify(method, params) { send({method: method, params: params || {}}); }
    function request(method, params) {
      return new Promise(function (resolve, reject) {
        var id = next++;
        waiting.set(id, {resolve: resolve, reject: reject});
        send({id: id, method: method, params: params});
      });
    }
    function applyContext(context) {
      Object.assign(app.context, context);
      var root = document.documentElement, styles = context.styles || {};
      if (context.theme) {
        root.dataset.theme = context.theme;
        root.style.colorScheme = context.theme;
      }
      Object.entries(styles.variables || {}).forEach(function (v) { if (v[1] != null) root.style.setProperty(v[0], v[1]); });
    }
    function deliver(name, params) {
      if (handlers[name]) handlers[name](params);
      else kept.push([name, params]);
    }
    var app = {
      context: {}, host: null, capabilities: {},
      callTool: function (name, args) { return request("tools/call", {name: name, arguments: args || {}}); },
      readResource: function (uri) { return request("resources/read", {uri: uri}); },
      openLink: function (url) { return request("ui/open-link", {url: url}); },
      message: function (text) { return request("ui/message", {role: "user", content: [{type: "text", text: text}]}); },
      updateContext: function (context) { return request("ui/update-model-context", context); },
      displayMode: function (mode) { return request("ui/request-display-mode", {mode: mode}); },
      log: function (level, data) { notify("notifications/message", {level: level, data: data}); return Promise.resolve(); },
    };
    Object.values(names).concat("onteardown").forEach(function (name) {
      Object.defineProperty(app, name, {
        get: function () { return handlers[name]; },
        set: function (handler) {
          handlers[name] = handler;
          var mine = kept.filter(function (k) { return k[0] === name; });
          kept = kept.filter(function (k) { return k[0] !== name; });
          mine.forEach(function (k) { handler(k[1]); });
        },
      });
    });
    window.addEventListener("message", function (event) {
      var message = event.data;
      if (event.source !== window.parent || !message || message.jsonrpc !== "2.0") return;
      if (message.method === undefined) {
        var call = waiting.get(message.id);
        if (!call) return;
        waiting.delete(message.id);
        if (message.error) call.reject(Object.assign(new Error(message.error.message), {code: message.error.code, data: message.error.data}));
        else call.resolve(message.result);
        return;
      }
      var params = message.params || {};
      if (message.id === undefined) {
        if (message.method === "ui/notifications/host-context-changed") applyContext(params);
        if (names[message.method]) deliver(names[message.method], params);
        return;
      }
      if (message.method === "ping") {
        send({id: message.id, result: {}});
      } else if (message.method === "ui/resource-teardown") {
        Promise.resolve(handlers.onteardown && handlers.onteardown(params)).then(
          function () { send({id: message.id, result: {}}); },
          function (error) { send({id: message.id, error: {code: -32603, message: String(error)}}); });
      } else {
        send({id: message.id, error: {code: -32601, message: "Method not found"}});
      }
    });
    var last = "";
    function reportSize() {
      var box = document.documentElement.getBoundingClientRect(), size = {width: Math.ceil(box.width), height: Math.ceil(box.height)};
      if (size.width + "x" + size.height === last) return;
      last = size.width + "x" + size.height;
      notify("ui/notifications/size-changed", size);
    }
    return request("ui/initialize", {
      protocolVersion: "2026-01-26", appInfo: info, appCapabilities: capabilities || {availableDisplayModes: ["inline"]},
    }).then(function (result) {
      app.host = result.hostInfo;
      app.capabilities = result.hostCapabilities || {};
      applyContext(result.hostContext || {});
      notify("ui/notifications/initialized");
      reportSize();
      new ResizeObserver(reportSize).observe(document.documentElement);
      return app;
    });
  },
};
