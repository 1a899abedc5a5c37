var ke,Fa,Op,Ln,xi,us,Ka,ss,Na,Ci,Ti,Ia,vo=Symbol.for("pv"),cs={},ds=[],Fp=/^m(i|n|o|s|text|space)$/,Pi=Array.isArray,Ga=ds.slice,lr=Object.assign;function ir(e){
e&&e.parentNode&&e.remove()}function is(e,t,n,o,s){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:vo,__v:s||++Fa,__i:-1,__u:0};return!s&&ke.vnode&&ke.
vnode(i),i}function D(e){return e.children}function ls(e,t){this.props=e,this.context=t,this.__g=0}function On(e,t){if(t==null)return e.__&&On(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:On(e)}function Kp(e){var t,n=e.__v,o=n.__e,s=[],i=[],l=e.__P;
l&&((t=lr({constructor:vo},n)).__v=n.__v+1,ke.vnode&&ke.vnode(t),Ei(l,t,n,e.__n,l.namespaceURI,32&n.__u?[o]:null,s,o||On(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=
t,ja(s,t,i),n.__=n.__e=null,t.__e!=o&&za(t))}function za(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
za(e)}function Si(e){(8&e.__g||(e.__g|=8,Ln.push(e),us++))&&xi==ke.debounceRendering||((xi=ke.debounceRendering)||queueMicrotask)(Ua)}function Ua(){try{for(var e,
t=1;Ln.length;)Ln.length>t&&Ln.sort(Ka),e=Ln.shift(),t=Ln.length,8&e.__g&&Kp(e)}finally{(us=Ln.length)&&(xi||queueMicrotask)(Ua)}}function Ha(e,t,n,o,s,i,l,a,c,p,h){
var m,y,b,w,M,P,C=o.__k||ds,k=t.length;for(c=Np(n,t,C,c,k),m=0;m<k;m++)(b=n.__k[m])!=null&&(y=~b.__i&&C[b.__i]||cs,b.__i=m,P=Ei(e,b,y,s,i,l,a,c,p,h),w=b.__e,(y.
ref!=b.ref||8&y.__u)&&(y.ref&&Mi(y.ref,null,b,y),b.ref&&h.push(b.ref,b.__c||w,b)),M=M||w,4&b.__u?(c=Wa(b,c,e,!y.__v),y.__e&&(y.__e=null)):typeof b.type=="functi\
on"&&P!==void 0?c=P:w&&(c=w.nextSibling),b.__u&=-21);return n.__e=M,c}function Np(e,t,n,o,s){var i,l,a,c,p,h,m,y,b,w=n.length,M=w,P=0,C=0,k=e.__k=Array(s);for(i=
0;i<s;i++)(l=t[i])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=k[i]=is(null,l):Pi(l)?l=k[i]=is(D,{children:l}):
l.constructor===vo&&l.__b?l=k[i]=is(l.type,l.props,l.key,l.ref,l.__v):k[i]=l,c=i+P,l.__=e,l.__b=e.__b+1,a=null,~(p=l.__i=Ip(l,n,c,M))&&(M--,(a=n[p])&&(a.__u|=2)),
a&&a.__v?(l.__u|=16,p==c-1?P--:p==c+1?P++:p!=c&&(p>c?P--:P++,C=1)):(~p||(s>w?P--:s<w&&P++),typeof l.type!="function"&&(l.__u|=4))):k[i]=null;if(C){for(h=[],m=[],
i=0;i<s;i++)if((l=k[i])&&16&l.__u){for(P=0,y=h.length;P<y;)h[b=P+y>>1]<l.__i?P=b+1:y=b;h[P]=l.__i,m[i]=P+1}for(P=h.length;i--;)m[i]&&(m[i]==P?P--:k[i].__u|=4)}if(M)
for(i=0;i<w;i++)!(a=n[i])||2&a.__u||(a.__e==o&&(o=On(a)),Ri(a,a));return o}function Wa(e,t,n,o){var s,i,l,a;if(typeof e.type=="function"){if(e.props.__P)return t;
if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&(s[i].__=e,t=Wa(s[i],t,n,!1));return t}for(t&&!t.parentNode&&(t=On(e))&&!t.parentNode&&(t=null),l=e.__e,a=t;a&&a.nodeType==
8;)a=a.nextSibling;for(l!=a&&(!o&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function Ip(e,t,n,o){var s,i=e.key,l=e.type,a=t[n],c=a&&!(2&a.__u);if(a===null&&i==null||c&&i==a.key&&l==a.type)return n;if(o>(c?1:0)){for(s=n-1;s>=0;s--)if((a=
t[s])&&!(2&a.__u)&&i==a.key&&l==a.type)return s;for(s=n+1;s<t.length;s++)if((a=t[s])&&!(2&a.__u)&&i==a.key&&l==a.type)return s}return-1}function Oa(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function os(e,t,n,o,s){var i,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.
cssText=o=""),o)for(t in o)n&&t in n||Oa(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Oa(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(l=Ti[t]||(Ti[t]=Gp(t)),(e.__a||(e.__a={}))[t]=Ci,i=t!=(t=t.replace(Na,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,l,i):e.removeEventListener(t,l,i));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Gp(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[ss]==null)t[ss]=Ci++;else if(t[ss]<this.__a[e])return;return n(ke.event?ke.event(t):t)}}}function Ei(e,t,n,o,s,i,l,a,c,p){
var h,m,y,b,w,M,P,C,k,$,T,X,N,ee,V,oe,j,R,Y=t.type;if(t.constructor!==vo)return null;128&n.__u&&(c=32&n.__u,h=n.__c.__z)&&(t.__u|=c,m=i=[],h.nodeType==8?a=as(h,
i):i.push(h),a=i[0]||a),(h=ke.__b)&&h(t);e:if(typeof Y=="function"){y=l.length;try{if(C=t.props,k=(h=Y.prototype)&&h.render,$=(h=Y.contextType)&&o[h.__c],T=h?$?
$.props.value:h.__:o,(b=n.__c)?(t.__c=b,2&b.__g&&(b.__g|=1)):(k?t.__c=b=new Y(C,T):(t.__c=b=new ls(C,T),b.constructor=Y,b.render=Up),$&&$.sub(b),b.state||(b.state=
{}),b.__n=o,b.__g|=8,b.__h=[],b.__k=[]),k&&(b.__s||(b.__s=b.state),Y.getDerivedStateFromProps&&(b.__s==b.state&&(b.__s=lr({},b.__s)),lr(b.__s,Y.getDerivedStateFromProps(
C,b.__s)))),w=b.props,M=b.state,b.__v=t,n.__c){if(C!==w&&k&&!Y.getDerivedStateFromProps&&b.componentWillReceiveProps&&b.componentWillReceiveProps(C,T),t.__v==n.
__v&&!(8&b.__g)||!(4&b.__g)&&b.shouldComponentUpdate&&b.shouldComponentUpdate(C,b.__s,T)===!1){t.__v!=n.__v&&(b.props=C,b.state=b.__s,b.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function(L){L&&(L.__=t)}),ds.push.apply(b.__h,b.__k),b.__k=[],b.__h.length&&l.push(b),a=On(n);break e}b.componentWillUpdate&&b.componentWillUpdate(
C,b.__s,T),k&&b.componentDidUpdate&&b.__h.push(function(){b.componentDidUpdate(w,M,P)})}else k&&!Y.getDerivedStateFromProps&&b.componentWillMount&&b.componentWillMount(),
k&&b.componentDidMount&&b.__h.push(b.componentDidMount);b.context=T,b.props=C,b.__P=e,b.__g&=-5,X=ke.__r,N=k?25:0;do b.__g&=-9,X&&X(t),h=b.render(b.props,b.state=
b.__s,b.context);while(8&b.__g&&++N<25);k&&(ds.push.apply(b.__h,b.__k),b.__k=[]),b.state=b.__s,b.getChildContext&&(o=lr({},o,b.getChildContext())),k&&n.__c&&b.getSnapshotBeforeUpdate&&
(P=b.getSnapshotBeforeUpdate(w,M)),ee=h&&h.type===D&&h.key==null?h.props.children:h,C.__P&&(h=a,s=(e=C.__P).namespaceURI,c=i=null,n.props&&n.props.__P!=e&&(n.__k.
some(function(L){L&&Ri(L,L)}),n.__k=null),a=n.__k?On(n,0):null),a=Ha(e,Pi(ee)?ee:[ee],t,n,o,s,i,l,a,c,p),C.__P&&(t.__e=null,a=h),t.__u&=-161,m&&m.some(ir),b.__h.
length&&l.push(b),1&b.__g&&(b.__g&=-4)}catch(L){if(l.length=y,t.__v=null,c||i)if(L&&L.then){if(t.__u|=128|c,i){for(~(j=i.indexOf(a||void 0))||(j=i.length);(R=i[j-
1])&&R.nodeType==8;)j--;for(;j<i.length;j++)if(R=i[j])if(i[j]=null,V){if(R==oe)break}else{if(R.nodeType!=8)break;R.data.startsWith("$s")&&(oe=as(V=R))}}if(!V){for(;a&&
a.nodeType==8&&a.nextSibling;)a=a.nextSibling;V=a}(h=as(V=t.__c.__z||(t.__c.__z=V)))?(t.__e=V,a=h):t.__e=a,a=a&&a.nextSibling}else i&&i.some(ir);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),L&&L.then||Ba(t),ke.__e(L,t,n)}}else a=t.__e=zp(n.__e,t,n,o,s,i,l,c,p,e);return(h=ke.diffed)&&h(t),a}function as(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Ba(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ba))}function ja(e,t,n){for(var o=0;o<n.length;)Mi(n[o++],n[o++],n[o++]);ke.__c&&ke.__c(t,e),e.some(
function(s){try{e=s.__h,s.__h=[],e.some(function(i){i.call(s)})}catch(i){ke.__e(i,s.__v)}})}function zp(e,t,n,o,s,i,l,a,c,p){var h,m,y,b,w,M,P,C,k=n.props||cs,$=t.
props,T=t.type;if(T=="svg"?s="http://www.w3.org/2000/svg":T=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),i){for(h=0;h<i.
length;h++)if((w=i[h])&&(T?w.localName==T:w.nodeType==3)){e=w,i[h]=null;break}}if(!e){if(C=p.ownerDocument||document,!T)return C.createTextNode($);e=C.createElementNS(
s,T,$.is?$:p),a&&(ke.__m&&ke.__m(t,i),a=!1),i=null}if(T){if(p=T=="template"&&e.content||e,i=T=="textarea"&&$.defaultValue!=null?null:i&&Ga.call(p.childNodes),!a&&
i)for(k={},h=0;h<e.attributes.length;h++)k[(w=e.attributes[h]).name]=w.value;for(h in k)w=k[h],h=="dangerouslySetInnerHTML"?y=w:h=="children"||h in $||h=="value"&&
"defaultValue"in $||h=="checked"&&"defaultChecked"in $||os(e,h,null,w,s);for(h in $)w=$[h],h=="children"?b=w:h=="dangerouslySetInnerHTML"?m=w:h=="value"?M=w:h==
"checked"?P=w:a&&typeof w!="function"||k[h]===w||os(e,h,w,k[h],s);m?(a||y&&(m.__html==y.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(y&&(e.
textContent=""),(T=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Fp.test(T))&&(s="http://www.w3.org/1999/xhtml"),Ha(p,Pi(b)?b:[b],t,n,o,s,i,l,i?i[0]:
n.__k&&On(n,0),a,c),i&&i.some(ir)),a&&T!="textarea"||(h="value",T=="progress"&&M==null?e.removeAttribute(h):M==null||M===e[h]&&(T!="progress"||M)||os(e,h,M,k[h],
s),h="checked",P!=null&&P!=e[h]&&os(e,h,P,k[h],s))}else k===$||a&&e.data==$||(e.data=$);return e}function Mi(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&
(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){ke.__e(s,n)}}function Ri(e,t,n){var o,s,i,l;if(ke.unmount&&ke.unmount(
e),!(o=e.ref)||o.current&&o.current!=e.__e||Mi(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){ke.__e(a,t)}o.__P=o.__n=null}
if(o=e.__k)for(l=0;l<o.length;l++)o[l]&&Ri(o[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=as(o,i=[]))&&(o==e.__e&&i.some(ir),ir(
s),ir(o)),n||ir(e.__e),e.__e=e.__c=e.__=null}function Up(e,t,n){return this.constructor(e,n)}function Va(e,t){var n,o,s,i;ke.__&&ke.__(e,t),t.nodeType==9&&(t=t.
documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=is(D,{children:[e]}),s=[],i=[],Ei(t,t.__k,o||cs,cs,t.namespaceURI,o?null:t.firstChild?Ga.call(t.childNodes):
null,s,o?o.__e:t.firstChild,n,i),ja(s,t.__k,i),t.__k.props.children=null}function Ya(e){function t(n){var o,s;return this.getChildContext||(o=new Set,(s={})[t.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(i){this.props.value!=i.value&&o.forEach(function(l){l.__g|=4,Si(l)})},this.sub=function(i){o.add(i);var l=i.componentWillUnmount;i.componentWillUnmount=
function(){o.delete(i),l&&l.call(i)}}),n.children}return t.__c="__cC"+Ia++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}ke={__e:function(e,t,n,o){for(var s,i,l;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((l=(i=s.constructor)&&i.getDerivedStateFromError)&&s.setState(i.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),l=1),l&&8&s.__g)return void(s.__g|=2)}catch(a){e=a}}throw us=0,e}},Fa=0,Op=function(e){return e!=null&&e.
constructor===vo},ls.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=lr({},this.state)),typeof e=="function"&&(e=e(lr({},n),this.props)),
e&&(lr(n,e),this.__v&&(t&&this.__k.push(t),Si(this)))},ls.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Si(this))},ls.prototype.render=
D,Ln=[],us=0,Ka=function(e,t){return e.__v.__b-t.__v.__b},ss=Symbol(),Na=/(PointerCapture)$|Capture$/i,Ci=0,Ti={},Ia=0;var ar,Ue,Di,Za,qi=Object.is,ko=0,su=[],$i=[],je=ke,Ja=je.__b,Qa=je.__r,Xa=je.diffed,eu=je.__c,tu=je.unmount,nu=je.__;function xo(e,t){je.__h&&je.__h(Ue,e,ko||t),
ko=0;var n=Ue.__H||(Ue.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function q(e){return ko=1,Hp(au,e)}function Hp(e,t,n){var o=xo(ar++,2);if(o.
t=e,!o.__c&&(o.__=[n?n(t):au(void 0,t),function(i){var l=(o.__N||o.__)[0],a=o.t(l,i);qi(l,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=Ue,!Ue.__f)){Ue.__f=
!0;var s=Ue.shouldComponentUpdate;Ue.shouldComponentUpdate=function(i,l,a){var c=this.__H;if(!c)return!0;var p=!1,h=this.props!=i;if(c.__.some(function(y){y.__N&&
(p=!0,qi(y.__[0],y.__N[0])||(h=!0))}),s){var m=s.call(this,i,l,a);return p?m||h:m}return!p||h}}return o.__}function de(e,t){var n=xo(ar++,3);!je.__s&&lu(n.__H,t)&&
(n.__P=!0,n.__=e,n.u=t,Ue.__H.__h.push(n))}function pt(e){return ko=5,Kr(function(){return{current:e}},[])}function Kr(e,t){var n=xo(ar++,7);return lu(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Nr(e,t){return ko=8,Kr(function(){return e},t)}function iu(e){var t=Ue.context[e.
__c],n=xo(ar++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(Ue)),t.props.value):e.__}function ps(){var e=xo(ar++,11);if(!e.__){for(var t=Ue.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Wp(){var e;
do{for(;e=$i.shift();)try{wo(e)}catch(n){je.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=su.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(wo),t.__h.some(Ai),t.__h=[]}catch(n){
t.__h=[],je.__e(n,e.__v)}}}while($i.length)}je.__b=function(e){Ue=null,Ja&&Ja(e)},je.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),nu&&nu(e,t)},je.__r=
function(e){Qa&&Qa(e),ar=0;var t=(Ue=e.__c).__H;t&&(Di==Ue?Ue.__h=[]:(t.__h.some(wo),t.__h.some(Ai),ar=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),Di=Ue},je.diffed=function(e){Xa&&Xa(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ou(su.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Di=
Ue=null},je.__c=function(e,t){t.some(function(n){try{n.__h.some(wo),n.__h=n.__h.filter(function(o){return!o.__||Ai(o)})}catch(o){n.__h=[function(){throw o}]}}),
eu&&eu(e,t)},je.unmount=function(e){tu&&tu(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,ou($i.push(s))}else wo(s)}catch(i){t=i}}),o.__H=void 0,t&&je.__e(t,o.__v))};var ru=typeof requestAnimationFrame=="function";
function Bp(e){var t,n=function(){clearTimeout(o),ru&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);ru&&(t=requestAnimationFrame(n))}function ou(e){
e!=1&&Za==je.requestAnimationFrame||((Za=je.requestAnimationFrame)||Bp)(Wp)}function wo(e){var t=Ue,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Ue=t}function Ai(e){
var t=Ue;e.__c=e.__(),Ue=t}function lu(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!qi(n,e[o])})}function au(e,t){return typeof t=="function"?
t(e):t}var uu={"POST /admin/v1/adjustments":"costs.correct","GET /admin/v1/attempts":"requests.read","GET /admin/v1/backup":"store.copy","GET /admin/v1/config":"config\
.read","GET /admin/v1/explain":"models.read","POST /admin/v1/explain":"models.read","GET /admin/v1/keys":"keys.read","POST /admin/v1/keys":"keys.write","GET /ad\
min/v1/keys/{key}":"keys.read","PATCH /admin/v1/keys/{key}":"keys.write","DELETE /admin/v1/keys/{key}":"keys.write","POST /admin/v1/keys/{key}/rotate":"keys.wri\
te","GET /admin/v1/latency":"usage.read","GET /admin/v1/limits":"usage.read","GET /admin/v1/live":"requests.read","GET /admin/v1/models":"models.read","GET /adm\
in/v1/openapi.json":"session.own","POST /admin/v1/playground/v1/chat/completions":"models.try","POST /admin/v1/playground/v1/messages":"models.try","POST /admin\
/v1/playground/v1/responses":"models.try","POST /admin/v1/reload":"config.reload","GET /admin/v1/requests":"requests.read","GET /admin/v1/requests/{request}":"r\
equests.read","GET /admin/v1/running":"requests.read","DELETE /admin/v1/running/{request}":"requests.cut","GET /admin/v1/session":"session.own","POST /admin/v1/\
session":"","DELETE /admin/v1/session":"session.own","GET /admin/v1/settings":"settings.read","GET /admin/v1/teams":"teams.read","POST /admin/v1/teams":"teams.w\
rite","GET /admin/v1/teams/{team}":"teams.read","PATCH /admin/v1/teams/{team}":"teams.write","DELETE /admin/v1/teams/{team}":"teams.write","GET /admin/v1/usage":"\
usage.read","GET /admin/v1/verify":"ledger.verify","GET /healthz":"","GET /metrics":"","GET /readyz":""};var wt=class extends Error{constructor(n,o,s,i=null){super(s);this.status=n;this.code=o;this.param=i}status;code;param},ms=new EventTarget;async function We(e,t={},n){
let[o="GET"]=e.split(" ");return await Li(o,Ir(e,t),t.body,n)}function Ir(e,t={},n={}){let s=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(a,c)=>encodeURIComponent(
t.path?.[c]??"")),i=new URLSearchParams;for(let[a,c]of Object.entries({...t.query,...n}))c!==void 0&&c!==""&&i.set(a,String(c));let l=i.toString();return l===""?
s:s+"?"+l}function cu(e,t={}){return Ir(e,t,{format:"csv"})}async function Li(e,t,n,o){let s={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};o&&(s.signal=o),n!==void 0&&(s.body=JSON.stringify(n),s.headers={accept:"application/json","content-type":"application/json"});let i=await fetch(t,s).catch(
l=>{throw l instanceof DOMException&&l.name==="AbortError"?l:new wt(0,"unreachable","Weir does not answer at this address.")});if(i.ok)return i.status===204?void 0:
i.json();throw await Oi(i)}function du(e,t,n,o){return fetch(e,{method:"POST",credentials:"same-origin",headers:{...n,"content-type":"application/json"},body:t,
signal:o}).catch(s=>{throw o.aborted?s:new wt(0,"unreachable","Weir does not answer at this address.")})}async function Oi(e){e.status===401&&ms.dispatchEvent(new Event(
"ended"));let t=await e.json().catch(()=>null),n=jp(t)?t.error:null;return new wt(e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}
function jp(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="object"&&e.error!==null&&"message"in e.error}var Vp=150,Yp=6e4,Fi=new EventTarget;function fs(){Fi.dispatchEvent(new Event("refresh"))}function z(e,t){let n=t===null?"":JSON.stringify([e,t]),[o,s]=q(null),
[i,l]=q(null),[a,c]=q(!1),[p,h]=q(null),m=pt(""),y=pt(null),b=Nr(()=>{if(y.current?.abort(),n==="")return;let{signal:w}=y.current=new AbortController,M=setTimeout(
()=>c(!0),Vp),[,P]=JSON.parse(n);We(e,P,w).then(C=>{m.current=n,s(C),l(null),h(new Date)}).catch(C=>{w.aborted||(m.current!==n&&s(null),l(tn(C)))}).finally(()=>{
clearTimeout(M),w.aborted||c(!1)})},[n]);return de(()=>{b();let w=setInterval(()=>document.hidden||b(),Yp);return Fi.addEventListener("refresh",b),()=>{y.current?.
abort(),clearInterval(w),Fi.removeEventListener("refresh",b)}},[b]),{data:o,error:i,loading:a,at:p,reload:b}}function tn(e){return e instanceof wt?e:new wt(0,"f\
ailed",e instanceof Error?e.message:String(e))}var Ki=Ya(null);function F(){let e=iu(Ki);if(!e)throw new Error("no session");return e}function kn(e){return F().session.permissions.includes(uu[e])}function Ni(){
return We("GET /admin/v1/session")}function pu(e){return We("POST /admin/v1/session",{body:{token:e}})}async function mu(){await We("DELETE /admin/v1/session")}function hu(e){if(!/^\s*(\$\s*)?curl\s/.test(e))return{body:fu(e),key:null};let t=Xp(e),n=Jp(t);if(n===null)throw new Error("The command sends no body: there is\
 no -d, --data or --json in it.");if(/^@/.test(n))throw new Error(`The body is in the file ${n.slice(1)}: paste what is in it.`);return{body:fu(n),key:Zp(e)}}function bu(e){
return e.replace(/(sk-weir-[A-Za-z0-9]{12})-[A-Za-z0-9_-]+/g,"$1-…").replace(/((?:bearer|x-api-key:|api-key:)\s+)(?!sk-weir-)[^\s'"$]+/gi,"$1…")}function Zp(e){
return/sk-weir-([A-Za-z0-9]{12})-/.exec(e)?.[1]??null}function fu(e){let t=JSON.parse(e);if(typeof t!="object"||t===null||Array.isArray(t))throw new Error("A re\
quest is a JSON object: it begins with {.");return t}var gu=["--data","--data-raw","--data-binary","--data-ascii","--json"];function Jp(e){let t=[];return e.forEach(
(n,o)=>{let s=gu.find(i=>n.startsWith(i+"="));n==="-d"||gu.includes(n)?t.push(e[o+1]??""):s!==void 0?t.push(n.slice(s.length+1)):/^-d./.test(n)&&t.push(n.slice(
2))}),t.length===0?null:t.join(e.some(n=>/^--json/.test(n))?"":"&")}var Qp={n:`
`,t:"	",r:"\r"};function Xp(e){let t=[],n=/\\\r?\n|\s+|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\])/gy,o=null,s=0;for(let i of e.
matchAll(n)){let[l,a,c,p,h,m]=i;if(s=i.index+l.length,l.startsWith(`\\
`)||l.startsWith("\\\r"))continue;let y=a?.replace(/\\([^])/g,(b,w)=>Qp[w]??w)??c??p?.replace(/\\(["\\$`])/g,"$1")??h??m;y!==void 0?o=(o??"")+y:o!==null&&(t.push(
o),o=null)}if(s<e.length)throw new Error("A quotation mark of the command is not closed.");return o===null?t:[...t,o]}var em=1000000000n;function fe(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e));if(n===0n)return t>2?"$0":`$${"0."+"0".repeat(t)}`.replace(/\.$/,"");let o=n<
0n?"−":"",s=n<0n?-n:n,i=s===0n?t:Math.max(t,tm(s)),l=10n**BigInt(9-i),a=(s+l/2n)/l,c=10n**BigInt(i),p=i===0?"":"."+(a%c).toString().padStart(i,"0");return`${o}\
$${yu(a/c)}${p}`}function tm(e){return e>=em/100n?0:Math.min(9,9-e.toString().length+2)}function Me(e){if(Math.round(e)===0)return"$0.00";let t=fe(e,9).replace(
/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function Gr(e){let t=e/1e9;return Math.abs(t)>=1e4?"$"+nn(t):fe(e,t!==0&&Math.abs(t)<10?2:0)}
function yu(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function G(e){return yu(BigInt(Math.round(e))).replace("-","−")}function nn(e){for(let[t,n]of[
[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let o=e/(n==="k"?1e3:t);return`${_u(o)} ${n}`}return G(e)}function _u(e){let t=Math.floor(Math.abs(
e)).toString().length;return e.toFixed(Math.max(0,3-t))}function lt(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%
1!==0?2:n<100&&n%1!==0?1:0)} %`}function To(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":"−"}${_u(Math.abs(e/t))}×`:`${n<0?"−":
"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function Se(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.
round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%60} s`}function vu(e){return e<1e6?`${Math.
round(e/1e3)} ms`:e<12e7?`${+(e/1e6).toFixed(1)} s`:`${+(e/6e7).toFixed(1)} min`}function ve(e,t,n=t+"s"){return`${G(e)} ${e===1?t:n}`}var nm=["since","until","team"],Ii=new Set;function So(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function le(){let[e,t]=q(So);
return de(()=>{let n=()=>t(So());return Ii.add(n),addEventListener("popstate",n),()=>{Ii.delete(n),removeEventListener("popstate",n)}},[]),e}function Fn(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Ii.forEach(o=>o())}function te(e,t=!1){
let{path:n,params:o}=So();Fn(n+zi(Gi(o,e)),t)}function Co(e){let{path:t,params:n}=So();return t+zi(Gi(n,e))}function ne(e,t={}){let n=new URLSearchParams;for(let o of nm){
let s=So().params.get(o);s!==null&&n.set(o,s)}return e+zi(Gi(n,t))}function Gi(e,t){for(let[n,o]of Object.entries(t))o===null||o===""?e.delete(n):e.set(n,o);return e}
function zi(e){let t=e.toString();return t===""?"":"?"+t}function wu(e){document.addEventListener("click",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.
ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||n.target!==""||n.hasAttribute("download")||n.origin!==location.
origin||e(n.pathname)&&(t.preventDefault(),Fn(n.pathname+n.search))})}var ku=new Map;function zr(e,t,n){let o=e+t,s=ku.get(o);return s||ku.set(o,s=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),s}function Po(e,t){
return zr(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function Rt(e,t){return zr(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function Kn(e,t){return zr(t,"day",{day:"numeric",month:"short"}).format(e)}function Tu(e,t){return`${Kn(e,t)} ${Po(e,t)}`}function mt(e,t){return zr(t,"full",
{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function gs(e,t){return zr(t,"date",{day:"numeric",month:"\
short",year:"numeric"}).format(e)}function Ft(e,t=new Date){let n=t.getTime()-e.getTime();return n<0?`${e.toISOString()}, in ${xn(-n)}`:`${e.toISOString()}, ${xn(
n)} ago`}function xn(e){let t=Math.max(0,Math.floor(e/1e3)),n=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],o=n.findIndex(([s])=>t>=s);return o<0?"0 s":n.slice(o,
o+2).map(([s,i],l)=>[Math.floor((l===0?t:t%(n[o]?.[0]??1))/s),i]).filter(([s])=>s>0).map(([s,i])=>`${s} ${i}`).join(" ")}function Ui(e,t){let n=Object.fromEntries(
zr(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(e).map(s=>[s.type,Number(s.value)]));
return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function Kt(e,t){let n=Date.parse(e.length===10?e+"T00:00Z":e+"Z"),
o=n-Ui(n,t);return new Date(n-Ui(o,t))}function Dt(e,t){return new Date(e.getTime()+Ui(e.getTime(),t)).toISOString().slice(0,16)}function kt(e){return{since:e.get(
"since")??"7d",until:e.get("until")??""}}function Eo(e,t=new Date){let n=Dt(t,e).slice(0,10),o=n.slice(0,8)+"01";return[{label:"Last hour",since:"1h",until:""},
{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",until:""},{label:"Last 90 days",since:"\
90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:o,until:""},{label:"Last month",since:rm(o),until:o}]}function rm(e){let t=new Date(e+
"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var om={m:6e4,h:36e5,d:864e5,w:7*864e5};function Mo(e,t,n=new Date){return{from:xu(
e.since,t,n),to:e.until===""?n:xu(e.until,t,n)}}function xu(e,t,n){let o=/^(\d+)([mhdw])$/.exec(e);return o?new Date(n.getTime()-Number(o[1])*(om[o[2]??"d"]??0)):
/^\d{4}-\d{2}-\d{2}$/.test(e)?Kt(e,t):new Date(e)}function hs(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:o,to:s}=Mo(e,t,n);return{since:new Date(
2*o.getTime()-s.getTime()).toISOString(),until:o.toISOString()}}function ur(e,t){let{from:n,to:o}=Mo(e,t),s=(o.getTime()-n.getTime())/864e5;return s<=8?"hour":s<=
400?"day":"month"}function fn(e,t){let n=Eo(t).find(i=>i.since===e.since&&i.until===e.until);if(n)return n.label;let{from:o,to:s}=Mo(e,t);return`${mt(o,t)} – ${e.
until===""?"now":mt(s,t)}`}var sm={no_images:"it reads no images",no_audio:"it takes no audio",no_files:"it reads no files",no_tools:"it calls no tools",no_schema:"it does not answer by a\
 schema",no_prefill:"it does not go on with an answer that was begun",prompt_too_long:"the prompt is too long for it",no_endpoint:"its provider does not have th\
is endpoint, or no such model",unsendable:"something in the request has no place there, or would be lost, which strict mode forbids",down:"it failed too often, \
and another request is probing whether it is well",full:"it has as many requests as it may have",no_credential:"its provider refused all credentials",budget:"a \
budget has no room for a call there",no_price:"what it costs is unknown, and a budget in dollars applies"};function Su(e,t){switch(!0){case e.skip!==null:return im(
e,e.skip,t);case e.probe:return"it failed before: this request would probe whether it is well";case e.resting_until!==null:return`it asked to be left alone for \
another ${Hi(e.resting_until,t)}`;case e.last:return"it fails for other keys: it is tried when no other target, and no fallback, is left";case e.refused_for.length>
0:return`its provider refused all credentials for ${e.refused_for.join(", ")}`;case e.down_for.length>0:return`it failed too often for ${e.down_for.join(", ")}`;case e.
credentials_free_at!==null:return"no credential is free; one is tried all the same";default:return""}}function im(e,t,n){return t==="down"&&e.open_until!==null?
`it failed too often; its breaker is open for another ${Hi(e.open_until,n)}`:t==="full"&&e.full_until!==null?`it has as many requests as its vendor allows a min\
ute, for another ${Hi(e.full_until,n)}`:e.barred??sm[t]}function Hi(e,t){return xn(Math.max(1e3,new Date(e??t).getTime()-t.getTime()))}var lm=Symbol.for("pv"),am=0;function r(e,t,n,o,s,i){t||(t={});var l,a,c=t;if("ref"in c&&typeof e!="function")for(a in c={},t)a=="ref"?l=t[a]:c[a]=t[a];var p={type:e,props:c,key:n,ref:l,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:lm,__v:--am,__i:-1,__u:0};return(s||i)&&(p.__source=s,p.__self=i),ke.vnode&&ke.vnode(p),p}function at({text:e,label:t="Copy",primary:n}){let[o,s]=q("");return de(()=>{let l=setTimeout(()=>s(""),1500);return()=>clearTimeout(l)},[o]),r("button",{type:"\
button",class:n?"primary":"quiet",onClick:()=>{let l=navigator.clipboard;(l?l.writeText(e):Promise.reject(new Error)).then(()=>s("Copied"),()=>s("Not allowed"))},
children:[o||t,r("span",{class:"unseen",role:"status",children:o})]})}function Re({route:e,asked:t,command:n,list:o}){return r(D,{children:[n&&r(at,{text:n,label:"\
Copy command"}),r(at,{text:um(e,t),label:"Copy curl"}),o&&r("a",{class:"button quiet",href:cu(e,t),download:"",children:"CSV"})]})}function um(e,t){return`curl \
-s ${xt(location.origin+Ir(e,t))} -H "Authorization: Bearer $(cat weir-data/admin.token)"`}function xt(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",
"'\\''")}'`}function ae({label:e,hint:t,wrong:n,value:o,onInput:s,list:i,bare:l,type:a="text",...c}){let p=ps(),h={type:a,list:i&&p+"-list","aria-invalid":n?!0:void 0,"aria\
-describedby":t||n?p+"-about":void 0,...c};return r("div",{class:"field",children:[r("label",{for:p,class:l?"unseen":void 0,children:e}),r("input",{id:p,value:o,
onInput:m=>s(m.currentTarget.value),autocomplete:"off",spellcheck:!1,...h}),i&&r("datalist",{id:p+"-list",children:i.map(m=>r("option",{value:m},m))}),r(Wi,{id:p,
hint:t,wrong:n})]})}function Ur({label:e,hint:t,wrong:n,value:o,onInput:s,code:i,bare:l,...a}){let c=ps(),p={"aria-invalid":n?!0:void 0,"aria-describedby":t||n?
c+"-about":void 0,...a};return r("div",{class:"field",children:[r("label",{for:c,class:l?"unseen":void 0,children:e}),r("textarea",{id:c,class:i?"mono":void 0,value:o,
onInput:h=>s(h.currentTarget.value),autocomplete:"off",spellcheck:!1,...p}),r(Wi,{id:c,hint:t,wrong:n})]})}function Ve({label:e,hint:t,wrong:n,value:o,options:s,
onChange:i,bare:l}){let a=ps();return r("div",{class:"field",children:[r("label",{for:a,class:l?"unseen":void 0,children:e}),r("select",{id:a,value:o,"aria-inva\
lid":n?!0:void 0,"aria-describedby":t||n?a+"-about":void 0,onChange:c=>i(c.currentTarget.value),children:s.map(c=>r("option",{value:c.value,selected:c.value===o,
children:c.label},c.value))}),r(Wi,{id:a,hint:t,wrong:n})]})}function Wi({id:e,hint:t,wrong:n}){return!t&&!n?null:r("span",{id:e+"-about",class:n?"wrong":"muted\
 small",children:n??t})}function gn({label:e,checked:t,onChange:n}){return r("label",{class:"check",children:[r("input",{type:"checkbox",checked:t,onChange:o=>n(
o.currentTarget.checked)}),e]})}function Nn({label:e,value:t,options:n,onChange:o}){return r("div",{class:"segments",role:"group","aria-label":e,children:n.map(
s=>r("button",{type:"button","aria-pressed":s.value===t,onClick:()=>o(s.value),children:s.label},s.value))})}function Bi(e){let t=[],{credentials:n,credentials_parked:o,credentials_resting:s}=e;return e.breaker==="open"&&t.push({text:"breaker open",tone:"bad",...Ro(e.open_until)}),
e.breaker==="trying"&&t.push({text:"being tried",tone:"warn"}),n>0&&o===n?t.push({text:n===1?"credential refused":"all credentials refused",tone:"bad",...Ro(e.credentials_free_at)}):
o>0&&t.push({text:`${o} of ${n} credentials refused`,tone:"warn"}),s>0&&t.push({text:`${ve(s,"credential")} at a rate limit`,tone:"warn",...Ro(o+s===n?e.credentials_free_at:
null)}),e.resting_until&&t.push({text:"asked for rest",tone:"warn",...Ro(e.resting_until)}),e.full&&t.push({text:"full",tone:"warn",...Ro(e.full_until)}),e.down_for.
length>0&&t.push({text:`down for ${ve(e.down_for.length,"key")}`,tone:"warn"}),e.refused_for.length>0&&t.push({text:`refused ${ve(e.refused_for.length,"key")}`,
tone:"warn"}),t.length>0?t:[{text:"well",tone:"good"}]}function Ro(e){return e===null?{}:{until:new Date(e)}}var cm={good:"M1 4a3 3 0 1 0 6 0a3 3 0 1 0-6 0",warn:"\
M4 .5L7.800 7.500H.2z",bad:"M1 1h6v6H1z",muted:"M1 3.200h6v1.600H1z"};function dm({tone:e}){return r("svg",{class:`mark ${e}`,viewBox:"0 0 8 8",width:"8",height:"\
8","aria-hidden":"true",children:r("path",{d:cm[e],fill:"currentColor"})})}function Do({words:e}){let{zone:t}=F();return r("span",{class:"conditions",children:e.
map(n=>r("span",{class:n.tone==="good"?void 0:n.tone,children:[r(dm,{tone:n.tone}),n.text,n.until&&r("span",{title:Ft(n.until),children:[" until ",Po(n.until,t)]})]},
n.text))})}function qo({health:e}){return r(Do,{words:e?Bi(e):[{text:"not known",tone:"muted"}]})}var ji="custom";function Cu(){let{zone:e}=F(),t=kt(le().params),[n,o]=q(!1),s=Eo(e).find(a=>a.since===t.since&&a.until===t.until),i=Eo(e).map(a=>({value:a.label,
label:a.label}));s||i.push({value:"",label:fn(t,e)}),i.push({value:ji,label:"From … to …"});let l=a=>{let c=Eo(e).find(p=>p.label===a);o(a===ji),c&&te({since:c.
since,until:c.until})};return r(D,{children:[r(Ve,{bare:!0,label:"Period",value:n?ji:s?.label??"",options:i,onChange:l}),n&&r(pm,{onDone:()=>o(!1)})]})}function pm({
onDone:e}){let{zone:t}=F(),{from:n,to:o}=Mo(kt(le().params),t),[s,i]=q(Dt(n,t)),[l,a]=q(Dt(o,t)),c=l<=s?"It ends before it begins.":null;return r("form",{class:"\
filters",onSubmit:h=>{h.preventDefault(),!c&&(te({since:Kt(s,t).toISOString(),until:Kt(l,t).toISOString()}),e())},children:[r(ae,{label:`From, ${t}`,type:"datet\
ime-local",value:s,onInput:i,required:!0}),r(ae,{label:"To",type:"datetime-local",value:l,onInput:a,required:!0,wrong:c}),r("button",{class:"primary",disabled:c!==
null,children:"Show"})]})}function Pu(){let e=le().params.get("team")??"",n=(z("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(o=>({value:o.name,
label:o.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(o=>o.value===e)&&n.push({value:e,label:e}),r(Ve,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:o=>te({team:o})}))}var Vi=new EventTarget;function bs(e,t=!1){Vi.dispatchEvent(new CustomEvent("said",{detail:{text:e,care:t}}))}function Eu(){let[e,t]=q(null),{path:n}=le();return de(
()=>{let o=s=>s instanceof CustomEvent&&t(s.detail);return Vi.addEventListener("said",o),()=>Vi.removeEventListener("said",o)},[]),de(()=>t(null),[n]),r("div",{
class:"said",role:"status",children:e&&r("div",{class:e.care?"panel alert":"panel alert good-edge",children:[r("span",{children:e.text}),r("button",{class:"quie\
t rest",onClick:()=>t(null),children:"Dismiss"})]})})}function Ne({title:e,mark:t,up:n,period:o,team:s,of:i,tools:l,children:a}){return de(()=>{document.title=`${e} · Weir`},[e]),r(D,{children:[r("div",{class:"hea\
d",children:[r("div",{class:"title",children:[n&&r("a",{class:"small",href:ne(n.path),children:n.title}),r("div",{class:"row",children:[r("h1",{children:e}),t]})]}),
r("div",{class:"tools",children:[l,s&&r(Pu,{}),o&&r(Cu,{}),i&&r(mm,{of:i})]})]}),r(Eu,{}),a]})}function mm({of:e}){let{zone:t}=F();return r("button",{class:"qui\
et",title:"Fetch it again",onClick:fs,children:e.at?`as of ${Po(e.at,t)}`:"…"})}function ge({of:e,empty:t,isEmpty:n,children:o}){let{data:s,error:i,loading:l}=e;if(s===null)return i?r(cr,{error:i,retry:e.reload}):r(ys,{shown:l});let a=t!==void 0&&
n?.(s)===!0;return r(D,{children:[i&&r(fm,{of:e,error:i}),l&&r(ys,{shown:!0}),r("div",{class:l?"old":void 0,children:a?r("div",{class:"state",children:t}):o(s)})]})}
function ys({shown:e}){return e?r("div",{role:"status",children:[r("div",{class:"loading"}),r("span",{class:"unseen",children:"Loading"})]}):null}function fm({of:e,
error:t}){let{zone:n}=F();return r("div",{class:"row state small",role:"status",children:[r("span",{class:"warn",children:["Could not refresh",e.at?`: this is f\
rom ${Rt(e.at,n)}`:"","."]}),r("span",{children:t.message}),r("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function cr({error:e,retry:t}){
return r("div",{class:"state",role:"alert",children:[r("strong",{children:gm(e)}),r("span",{children:e.message}),e.status>=500&&r("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&r("button",{onClick:t,children:"Try again"})]})}function gm({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function Ie(e){let{label:t,columns:n,rows:o,id:s,selected:i,onOpen:l}=e,[a,c]=q(()=>vm(e.sorted)),[p,h]=q(!1),m=wm(o,n,a),y=p?m:m.slice(0,e.most),b=n.some(w=>w.
sum!==void 0);return r("div",{class:"scroll",tabIndex:0,role:"group","aria-label":t,children:[r("table",{children:[r("thead",{children:r("tr",{children:n.map(w=>r(
hm,{column:w,order:a,onOrder:c},w.key))})}),r("tbody",{children:y.map(w=>r(bm,{row:w,columns:n,selected:i!==void 0&&i===s(w),onOpen:l},s(w)))}),b&&r("tfoot",{children:r(
"tr",{children:n.map(w=>r("td",{class:$o(w),children:w.sum},w.key))})})]}),y.length<o.length&&r("button",{class:"quiet more",onClick:()=>h(!0),children:["Show a\
ll ",o.length]})]})}function $o(e){return e.num?"num":e.wrap?"wrap":void 0}function hm({column:e,order:t,onOrder:n}){if(e.title==="")return r("td",{class:$o(e)});
let o=t?.key===e.key?t:null;if(!e.sort)return r("th",{scope:"col",class:$o(e),title:e.hint,children:e.title});let s={key:e.key,down:o?!o.down:e.num===!0};return r(
"th",{scope:"col",class:$o(e),title:e.hint,"aria-sort":o?o.down?"descending":"ascending":"none",children:r("button",{type:"button",onClick:()=>n(s),children:[o&&
r("span",{"aria-hidden":"true",children:o.down?"↓":"↑"}),r("span",{children:e.title})]})})}function bm({row:e,columns:t,selected:n,onOpen:o}){let s=t.map(i=>r(
"td",{class:$o(i),children:i.cell(e)},i.key));return o?r("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:i=>ym(i)&&o(e),onKeyDown:i=>_m(i,()=>o(e)),children:s}):
r("tr",{children:s})}function ym(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==!1}function _m(e,t){
let n=e.currentTarget;if(!(n instanceof HTMLElement)||e.target!==n)return;let o=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.previousElementSibling:
null;if(e.key==="Enter")t();else if(o instanceof HTMLElement)o.focus();else return;e.preventDefault()}function vm(e){return e===void 0?null:e.startsWith("-")?{key:e.
slice(1),down:!0}:{key:e,down:!1}}function wm(e,t,n){let o=t.find(i=>i.key===n?.key)?.sort;if(!o||!n)return e;let s=n.down?-1:1;return e.toSorted((i,l)=>{let[a,
c]=[o(i),o(l)];return s*(typeof a=="string"?a.localeCompare(String(c)):a-Number(c))})}function Tn({part:e,whole:t}){let n=t>0?Math.max(e>0?1:0,96*e/t):0;return r(
"svg",{class:"share",viewBox:"0 0 96 8","aria-hidden":"true",children:[r("rect",{width:"96",height:"8",rx:"1"}),r("rect",{width:n,height:"8",rx:"1"})]})}function Mu(){let{params:e}=le(),[t,n]=q(null),o=e.get("model")??"",s=e.get("key")??"",i={...o&&{model:o},...s&&{key:s}},l=o===""&&t===null?null:{query:i},a=z("\
GET /admin/v1/explain",t===null?l:null),c=z("POST /admin/v1/explain",t===null?null:{query:i,body:t}),p=t===null?a:c;return r(Ne,{title:"Explain",...l&&{of:p},children:[
r(km,{model:o,onBody:n}),l===null?r(Tm,{}):r(ge,{of:p,children:h=>r(Sm,{explanation:h,hasBody:t!==null})})]})}function km({model:e,onBody:t}){let{models:n}=F(),
{params:o}=le(),[s,i]=q(e),[l,a]=q(o.get("key")??""),[c,p]=q(""),[h,m]=q(null),b=(z("GET /admin/v1/keys",{query:{limit:1e3}}).data?.data??[]).filter(M=>M.status===
"active").map(M=>M.name);return r("form",{class:"panel pad stack",onSubmit:M=>{M.preventDefault();let P=xm(c);if(m(typeof P=="string"?P:null),typeof P=="string")
return;let C=l.trim()||P?.key||"",k=typeof P?.body.model=="string"?P.body.model:"";a(C),i(s.trim()||k),t(P?.body??null),te({model:s.trim()||k,key:C})},"aria-lab\
el":"Request to explain",children:[r("div",{class:"ask",children:[r("div",{class:"stack small-gap",children:[r(ae,{label:"Model",value:s,onInput:i,list:n,placeholder:"\
as callers name it",hint:"Empty: the one that the body names."}),r(ae,{label:"Key",value:l,onInput:a,list:b,placeholder:"any that may use every model",hint:"Its\
 name or id."})]}),r(Ur,{code:!0,label:"Request: a JSON body, or a pasted curl command",rows:6,value:c,onInput:M=>p(bu(M)),wrong:h,placeholder:'{"messages": [{"\
role": "user", "content": "Hello"}], "max_tokens": 500}',hint:"Without it, a chat with no special needs. It goes to Weir alone, and no provider is called."})]}),
r("div",{class:"row",children:[r("button",{class:"primary",children:"Explain"}),c!==""&&r("button",{type:"button",onClick:()=>{p(""),m(null),t(null)},children:"\
Clear the request"}),r("span",{class:"rest",children:s!==""&&r(at,{label:"Copy command",text:`weir explain ${xt(s)}${l===""?"":` --key ${xt(l)}`}${c===""?"":" -\
-body request.json"}`})})]})]})}function xm(e){if(e.trim()==="")return null;try{return hu(e)}catch(t){return t instanceof Error?`This cannot be read. ${t.message}`:
"This cannot be read."}}function Tm(){return r("section",{class:"panel state",children:[r("strong",{children:"Name a model, or paste a request"}),r("span",{children:"\
You will see where it would go now, what would be skipped and why, which limits and budgets apply, and about what it would cost. Nothing is called or changed."}),
r("span",{children:["In a terminal: ",r("code",{children:"weir explain smart --key my-app --body request.json"})]})]})}function Sm({explanation:e,hasBody:t}){let n=[
...e.limits,...e.budgets];return r("div",{class:"stack",children:[r(Cm,{explanation:e,hasBody:t}),r(Em,{plans:e.plans}),n.length>0&&r("section",{class:"panel","\
aria-label":"Limits and budgets",children:[r("header",{children:r("h2",{children:"Limits and budgets that apply"})}),r(Ie,{label:"Limits and budgets, and what i\
s left of each",columns:qm(),rows:n,id:o=>`${o.of} ${o.id} ${Ru(o)}`})]})]})}function Cm({explanation:e,hasBody:t}){let{plans:n,refused:o,hedge:s,max_attempts:i}=e,
l=n.flatMap(h=>h.targets).filter(h=>h.turn!==null),[a]=l,c=n[0]?.targets.some(h=>h.turn!==null)??!1,p=o!==null||!a?"bad-edge":a.skip===null&&c?"good-edge":"";return r(
"section",{class:`panel alert verdict ${p}`,"aria-label":"Verdict",role:"status",children:[o!==null?r("p",{children:[r("strong",{class:"bad",children:"It would \
be refused."})," The caller would read: ",o]}):a?r("p",{children:[r("strong",{children:[n[0]?.drawn?"It would now go to ":"It would go to ",r("code",{children:a.
target})]}),!c&&", by a fallback: no target of the model itself would be tried",a.cost_nanodollars!==null&&r(D,{children:[", for about ",r("span",{title:Me(a.cost_nanodollars),
children:fe(a.cost_nanodollars,4)})]}),"."]}):r("p",{children:[r("strong",{class:"bad",children:"No target would be tried."})," The reasons are beside each."]}),
r("p",{class:"muted",children:[e.key===null?"For a key that may use every model":r(D,{children:["For the key ",r("strong",{children:e.key})]}),`, at most ${ve(i,
"attempt")}`,l.length>1&&` over ${ve(l.length,"target")}`,".",n[0]?.drawn&&" Chance has a part in the order: the next request may meet another one.",n[0]?.sticks&&
" Something of the request decides which target is first.",s?.target&&` ${s.target} is asked as well ${s.late_ms===null?"for streams that are late, once it is k\
nown when they are":`for a stream without content after ${s.late_ms} ms`}.`,!t&&" Without a request, costs are not known, and nothing special is needed."]})]})}
var Pm=[["Would cost","The prompt as estimated, none of it from a cache, and the answer that it allows, or 500 tokens"],["Million tokens in","What they cost in \
a prompt of this length"],["Out"],["In flight"]];function Em({plans:e}){return r("section",{class:"panel","aria-label":"Targets in their order",children:r("div",
{class:"scroll",tabIndex:0,role:"group","aria-label":"Targets, and why each is tried or skipped",children:r("table",{class:"grouped",children:[r("thead",{children:r(
"tr",{children:[r("th",{scope:"col",children:"Turn"}),r("th",{scope:"col",children:"Target"}),r("th",{scope:"col",children:"Why"}),Pm.map(([t,n])=>r("th",{scope:"\
col",class:"num",title:n,children:t},t))]})}),e.map((t,n)=>r("tbody",{children:[r("tr",{class:"first",children:r("th",{scope:"rowgroup",colSpan:7,children:r("di\
v",{class:"row",children:[t.on!==null&&r("span",{class:"muted small",children:["then, on ",t.on.map(o=>o.replace("_"," ")).join(", "),":"]}),r("a",{href:ne("/mo\
dels",{model:t.route}),children:t.route}),r("span",{class:"muted small",children:[t.policy,t.sticky!=="none"&&` · sticky by ${t.sticky}`]})]})})}),t.targets.map(
o=>r(Mm,{target:o},o.target))]},n))]})})})}function Mm({target:e}){let{turn:t,price:n,cost_nanodollars:o}=e;return r("tr",{children:[r("td",{class:t===null?"mut\
ed":void 0,children:t??"skipped"}),r("td",{children:r("code",{class:t===null?"muted":void 0,children:e.target})}),r("td",{class:"wrap",children:r(Rm,{target:e})}),
r("td",{class:"num",children:o===null?"–":r("span",{title:Me(o),children:fe(o,4)})}),n?r("td",{class:"num",children:fe(n.input*1e3)}):r("td",{class:"num muted",
children:"not known"}),r("td",{class:"num",children:n&&fe(n.output*1e3)}),r("td",{class:"num",children:G(e.in_flight)})]})}function Rm({target:e}){let t=Su(e,new Date);
return e.turn===null?r(Do,{words:[{text:t,tone:e.skip==="down"||e.skip==="no_credential"?"bad":"warn"}]}):t!==""?r(Do,{words:[{text:t,tone:"warn"}]}):r(Do,{words:Bi(
e)})}function vs(e){return"budget"in e}var Dm={rpm:"requests a minute",tpm:"tokens a minute",concurrent:"requests at once"};function Ru(e){return vs(e)?e.budget:
Dm[e.limit]}function _s(e,t){return vs(e)&&e.unit==="nanodollars"?fe(t):G(t)}function qm(){return[{key:"of",title:"Of",cell:e=>r(D,{children:[e.of," ",r("strong",
{children:e.name})]})},{key:"limit",title:"Limit",cell:Ru},{key:"share",title:"",cell:e=>r(Tn,{part:e.most-e.remaining,whole:e.most})},{key:"used",title:"Used",
num:!0,cell:e=>_s(e,e.used)},{key:"held",title:"Held",num:!0,cell:e=>vs(e)?_s(e,e.held):""},{key:"remaining",title:"Left",num:!0,cell:e=>r("span",{class:e.remaining<=
0?"bad":void 0,children:e.remaining<=0?"nothing":_s(e,e.remaining)})},{key:"most",title:"Most",num:!0,cell:e=>_s(e,e.most)},{key:"reset",title:"Back",cell:e=>r(
$m,{row:e})}]}function $m({row:e}){let{zone:t}=F();return vs(e)?e.reset===null?r("span",{class:"muted",children:"never"}):r("span",{title:Ft(new Date(e.reset)),
children:mt(new Date(e.reset),t)}):r(D,{children:e.reset_ms?`all in ${Se(e.reset_ms*1e3)}`:""})}function Du({values:e}){let t=Math.max(...e);return t>0?r("svg",{class:"spark",viewBox:`0 0 ${e.length*3} 18`,width:e.length*3,height:18,"aria-hidden":"true",children:e.
map((n,o)=>{let s=n>0?Math.max(1,18*n/t):.5;return r("rect",{x:o*3,y:18-s,width:2,height:s},o)})}):null}var ws=7*864e5;function In(e,t=Date.now()){switch(e.status){case"revoked":return{word:"unsaved"in e&&e.unsaved?"Revoked, not saved":"Revoked",tone:"unsaved"in e&&
e.unsaved?"bad":"muted"};case"team_revoked":return{word:"Team revoked",tone:"warn"};case"expired":return{word:"Expired",tone:"warn"};default:return("expires_at"in
e&&e.expires_at?Date.parse(e.expires_at)-t:ws)<ws?{word:"Expires soon",tone:"warn"}:{word:"Active",tone:"good"}}}function hn(e,t){return e==="nanodollars"?fe(t):
`${nn(t).replace(/\.?0+ /," ")} ${t===1?"token":"tokens"}`}var Am={hour:"an hour",day:"a day",week:"a week",month:"a month",total:"in total"};function Yi(e){return e.
slice(e.lastIndexOf("/")+1)}function Zi(e){let t=Yi(e.budget);return`${hn(e.unit,e.most)} ${Am[t]??"a "+t}`}function Ji({limit:e,most:t}){switch(e){case"rpm":return`${ve(
t,"request")} a minute`;case"tpm":return`${ve(t,"token")} a minute`;default:return`${ve(t,"request")} at once`}}function Qi(e){return[e.rpm!==null&&`${G(e.rpm)}\
 rpm`,e.tpm!==null&&`${G(e.tpm)} tpm`,e.concurrent!==null&&`${G(e.concurrent)} at once`].filter(n=>n!==!1).join(", ")}function Hr(e){return[...e.budgets??[],Qi(
e)].join()}function qu(e,t){let n=e.split("*").map(o=>o.replace(/[.+?^${}()|[\]\\]/g,"\\$&"));return new RegExp(`^${n.join(".*")}$`,"s").test(t)}function Ao({of:e}){let{word:t,tone:n}=In(e);return r("span",{class:`state-word ${n}`,children:t})}function Wr({of:e}){return r(D,{children:[r(Ao,{of:e}),r("spa\
n",{class:"second",children:e.source==="config"?"config file":"store"})]})}function Br({of:e}){let t=Qi(e);return!e.budgets&&t===""?r("span",{class:"muted",children:"\
none"}):r("div",{class:"words bounds",children:[e.budgets?.map(n=>r("span",{class:"whole",children:n},n)),t!==""&&r("span",{class:e.budgets?"second":void 0,children:t})]})}
function Gn({models:e,all:t}){if(!e)return r("span",{class:"muted",children:"all"});if(t)return r(D,{children:e.join(", ")});let n=e.length-3;return r("div",{class:"\
words",title:e.join(", "),children:[e.slice(0,3).join(", "),n>0&&r("span",{class:"muted",children:[" + ",n]})]})}function jr({spending:e,id:t}){let n=e.of.get(t);
return n?r("span",{class:"spent",children:[r(Du,{values:n.days}),r("span",{title:Me(n.cost),children:fe(n.cost)})]}):r("span",{class:"muted",children:e.whole?fe(
0):"–"})}function Tt({title:e,onClose:t,aside:n,firm:o,children:s}){let i=pt(null);return de(()=>{let l=i.current;return l?.showModal(),()=>l?.close()},[]),r("dialog",{ref:i,
class:n?"aside":void 0,"aria-label":e,onClose:t,onCancel:l=>o==="all"&&l.preventDefault(),onClick:l=>!o&&l.target===i.current&&i.current?.close(),children:r("di\
v",{class:"dialog",children:[r("div",{class:"row",children:[r("h2",{children:e}),o!=="all"&&r("button",{class:"quiet rest",type:"button",onClick:()=>i.current?.
close(),children:"Close"})]}),s]})})}var Sn={name:"",team:"",models:"",rpm:"",tpm:"",concurrent:"",budgets:"",reserve:"expected",cut:!1,warn:"",expires_at:"",idempotency:"",explain:!1};function nl(e,t){
let n={...Sn,name:e.name,models:el(e.models),rpm:Xi(e.rpm),tpm:Xi(e.tpm),concurrent:Xi(e.concurrent),budgets:el(e.budgets),reserve:e.reserve??Sn.reserve,cut:e.cut,
warn:el(e.warn)};return"idempotency"in e?{...n,team:e.team??"",expires_at:e.expires_at===null?"":Dt(new Date(e.expires_at),t),idempotency:e.idempotency??"",explain:e.
explain}:n}function Lo(e,t,n){let o={},s=i=>e[i]!==t[i];return s("name")&&(o.name=e.name.trim()),s("team")&&(o.team=e.team||null),s("models")&&(o.models=tl(e.models)),
s("rpm")&&(o.rpm=ks(e.rpm,"rpm")),s("tpm")&&(o.tpm=ks(e.tpm,"tpm")),s("concurrent")&&(o.concurrent=ks(e.concurrent,"concurrent")),s("budgets")&&(o.budgets=tl(e.
budgets)),s("reserve")&&(o.reserve=e.reserve==="strict"?"strict":"expected"),s("cut")&&(o.cut=e.cut),s("warn")&&(o.warn=tl(e.warn)?.map(i=>ks(i.replace(/\s*%$/,
""),"warn")??0)??null),s("expires_at")&&(o.expires_at=e.expires_at===""?null:Kt(e.expires_at,n).toISOString()),s("idempotency")&&(o.idempotency=e.idempotency.trim()||
null),s("explain")&&(o.explain=e.explain),o}function Xi(e){return e===null?"":String(e)}function el(e){return(e??[]).join(", ")}function tl(e){let t=e.split(",").
map(n=>n.trim()).filter(n=>n!=="");return t.length>0?t:null}function ks(e,t){let n=e.replace(/[\s,_]/g,"");if(n==="")return null;if(!/^\d{1,15}$/.test(n))throw new wt(
400,"invalid_value",`A whole number is expected, and not ${e.trim()}.`,t);return Number(n)}function zn(e,t){let[n,o]=q(!1),[s,i]=q(null);return{busy:n,error:s,start:()=>{o(!0),i(null),new Promise(a=>a(e())).then(t).catch(a=>i(tn(a))).finally(()=>o(!1))}}}
function St(e,t){if(e?.param!==t)return null;let n=e.message.startsWith(t+": ")?e.message.slice(t.length+2):e.message;return n.charAt(0).toUpperCase()+n.slice(1)}
function Un({change:e,action:t,fields:n,onCancel:o,danger:s,disabled:i,children:l}){let{busy:a,error:c,start:p}=e,h=pt(null);return de(()=>{c&&h.current?.querySelector(
"[aria-invalid]")?.focus()},[c]),r("form",{class:"form",ref:h,onSubmit:y=>{y.preventDefault(),!a&&!i&&p()},noValidate:!0,children:[l,r("div",{class:"end",children:[
c&&!n.includes(c.param??"")&&r("p",{class:"bad",role:"alert",children:c.message}),r("div",{class:"actions",children:[r("button",{type:"button",onClick:o,children:"\
Cancel"}),r("button",{class:s?"danger":"primary",disabled:a||i,children:t})]})]})]})}var Vr=Object.keys(Sn);function rl(e){let{draft:t,onChange:n,error:o}=e;return r(D,{children:[r("div",{class:"pair",children:[r(ae,{label:"Name",required:!0,autofocus:!0,
hint:"Printable, without spaces: svc-search",value:t.name,onInput:s=>n({name:s}),wrong:St(o,"name")}),r(Lm,{...e})]}),r(Au,{...e}),r(Lu,{...e}),r(Ou,{...e}),r(Nm,
{...e})]})}function ol(e){let{draft:t,onChange:n,error:o}=e;return r(D,{children:[r(ae,{label:"Name",required:!0,autofocus:!0,hint:"Printable, without spaces: r\
esearch",value:t.name,onInput:s=>n({name:s}),wrong:St(o,"name")}),r(Au,{...e}),r(Lu,{...e}),r(Ou,{...e})]})}function Lm({draft:e,onChange:t,error:n}){let s=(z("\
GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).filter(i=>i.status==="active").map(({name:i})=>({value:i,label:i}));return e.team!==""&&!s.some(({value:i})=>i===
e.team)&&s.push({value:e.team,label:e.team}),r(Ve,{label:"Team",value:e.team,options:[{value:"",label:"No team"},...s],onChange:i=>t({team:i}),wrong:St(n,"team")})}
var Om=16;function Au({draft:e,onChange:t,error:n}){let{models:o}=F(),s=e.models.split(",").map(l=>l.trim()).filter(l=>l!==""),i=l=>t({models:(s.includes(l)?s.filter(
a=>a!==l):[...s,l]).join(", ")});return r("div",{class:"field",children:[r(ae,{label:"Models",hint:"With commas; * stands for any run of characters: fast, embed\
-*. Empty allows all, later ones included.",value:e.models,onInput:l=>t({models:l}),wrong:St(n,"models")}),r("div",{class:"chips",role:"group","aria-label":"Mod\
els of the config",children:o.slice(0,Om).map(l=>r("button",{type:"button","aria-pressed":s.includes(l),onClick:()=>i(l),children:l},l))})]})}function Lu({draft:e,
onChange:t,error:n}){return r("fieldset",{children:[r("legend",{children:"Limits"}),r("div",{class:"thirds",children:[r(ae,{label:"Requests a minute",hint:"rpm;\
 empty for none",inputMode:"numeric",value:e.rpm,onInput:o=>t({rpm:o}),wrong:St(n,"rpm")}),r(ae,{label:"Tokens a minute",hint:"tpm, prompts and answers",inputMode:"\
numeric",value:e.tpm,onInput:o=>t({tpm:o}),wrong:St(n,"tpm")}),r(ae,{label:"Requests at once",hint:"concurrent",inputMode:"numeric",value:e.concurrent,onInput:o=>t(
{concurrent:o}),wrong:St(n,"concurrent")})]})]})}var Fm=["50usd/month","5usd/day","2Mtok/day","200usd/total"],Km=[{value:"expected",label:"What is usual: few re\
quests wait"},{value:"strict",label:"The most it can take: never exceeded"}];function Ou({draft:e,onChange:t,error:n}){let o=s=>t({budgets:e.budgets.trim()===""?
s:`${e.budgets.replace(/[\s,]+$/,"")}, ${s}`});return r("fieldset",{children:[r("legend",{children:"Budgets"}),r(ae,{label:"So much in a period",hint:"Units: us\
d, tok, ktok, Mtok. Periods: hour, day, week, month, total. Several with commas; empty for none.",value:e.budgets,onInput:s=>t({budgets:s}),wrong:St(n,"budgets")}),
r(Oo,{label:"Examples of budgets",texts:Fm,onPick:o}),r("div",{class:"pair",children:[r(Ve,{label:"While it runs, a call holds",value:e.reserve,options:Km,onChange:s=>t(
{reserve:s}),wrong:St(n,"reserve")}),r(ae,{label:"Warn when spent, in percent",hint:"50, 90. Empty: no warning",value:e.warn,onInput:s=>t({warn:s}),wrong:St(n,"\
warn")})]}),r(gn,{label:"End streams with an error when a budget has no room for more of them",checked:e.cut,onChange:s=>t({cut:s})})]})}var $u=[["30 days",30],
["90 days",90],["1 year",365]];function Nm({draft:e,onChange:t,error:n}){let{zone:o}=F(),s=i=>{let l=$u.find(([a])=>a===i)?.[1];t({expires_at:l===void 0?"":Dt(new Date(
Date.now()+l*864e5),o)})};return r("fieldset",{children:[r("legend",{children:"Expiry and repeats"}),r("div",{class:"pair",children:[r("div",{class:"field",children:[
r(ae,{label:`Expires, ${o}`,type:"datetime-local",hint:"Empty: never",value:e.expires_at,onInput:i=>t({expires_at:i}),wrong:St(n,"expires_at")}),r(Oo,{label:"Li\
ves",texts:[...$u.map(([i])=>i),"never"],onPick:s})]}),r("div",{class:"field",children:[r(ae,{label:"Keep answers for repeats",hint:"For requests with an Idempo\
tency-Key: 1m to 720h. Empty refuses the header",value:e.idempotency,onInput:i=>t({idempotency:i}),wrong:St(n,"idempotency")}),r(Oo,{label:"Examples of times",texts:[
"24h","1h"],onPick:i=>t({idempotency:i})})]})]}),r(gn,{label:r("span",{children:["Its requests may ask what was tried for them, with the header ",r("code",{children:"\
Weir-Explain: true"})]}),checked:e.explain,onChange:i=>t({explain:i})})]})}function Oo({label:e,texts:t,onPick:n}){return r("div",{class:"chips",role:"group","a\
ria-label":e,children:t.map(o=>r("button",{type:"button",onClick:()=>n(o),children:o},o))})}function sl({minted:e,onClose:t}){let n=Im(e);return r(Tt,{title:`The secret of ${e.name}`,firm:"all",onClose:t,children:[r("p",{children:"Copy it now. Weir kee\
ps only a digest of it, so that it cannot be shown again."}),r("div",{class:"secret",children:[r("code",{children:e.key}),r(at,{primary:!0,text:e.key,label:"Cop\
y secret"})]}),r("div",{class:"field",children:[r("div",{class:"row",children:[r("span",{class:"label",children:"Try it"}),r("span",{class:"rest",children:r(at,
{text:n,label:"Copy curl"})})]}),r("pre",{class:"code",children:n})]}),e.warnings.map(o=>r("p",{class:"warn",children:o},o)),r("div",{class:"actions",children:r(
"button",{onClick:t,children:"Done, I have it"})})]})}function Im(e){let{models:t,url:n}=F(),o=t.find(i=>!i.includes("*")&&(e.models??["*"]).some(l=>qu(l,i)))??
"MODEL",s=JSON.stringify({model:o,messages:[{role:"user",content:"Hello!"}]});return`curl ${n}/v1/chat/completions -H ${xt("Authorization: Bearer "+e.key)} -H '\
Content-Type: application/json' -d ${xt(s)}`}function Wn(){return[le().params.get("do"),He]}function He(){Gm()&&te({do:null},!0)}function Gm(){return new URLSearchParams(location.search).has("do")}function ft(e){
te({do:e})}function xs(e){let[t,n]=q(e);return{draft:t,onChange:o=>n(s=>({...s,...o}))}}function Hn(e,t=[],n=t.length>0){bs([e,...t].join(" "),n),fs()}function Ts({
team:e}){let{zone:t}=F(),{draft:n,onChange:o}=xs({...Sn,team:e}),[s,i]=q(null),l=zn(()=>We("POST /admin/v1/keys",{body:{...Lo(n,Sn,t),name:n.name.trim()}}),a=>{
i(a),Hn(`The key ${a.name} works now.`)});return s?r(sl,{minted:s,onClose:He}):r(Tt,{title:"Create a key",aside:!0,firm:"beside",onClose:He,children:r(Un,{change:l,
action:"Create key",fields:Vr,onCancel:He,children:r(rl,{draft:n,onChange:o,error:l.error})})})}function Fu({of:e}){let{zone:t}=F(),[n]=q(()=>nl(e,t)),{draft:o,
onChange:s}=xs(n),i=zn(()=>We("PATCH /admin/v1/keys/{key}",{path:{key:e.id},body:Lo(o,n,t)}),l=>{Hn(`The key ${l.name} is changed. The change holds already.`,l.
warnings),He()});return r(Tt,{title:`Change ${e.name}`,aside:!0,firm:"beside",onClose:He,children:r(Un,{change:i,action:"Save",fields:Vr,onCancel:He,disabled:Iu(
o,n),children:r(rl,{draft:o,onChange:s,error:i.error})})})}function Ku(){let{zone:e}=F(),{draft:t,onChange:n}=xs(Sn),o=zn(()=>We("POST /admin/v1/teams",{body:{...Lo(
t,Sn,e),name:t.name.trim()}}),s=>{He(),Fn(ne("/teams/"+s.id)),Hn(`The team ${s.name} is made. Keys can join it now.`,s.warnings)});return r(Tt,{title:"Create a \
team",aside:!0,firm:"beside",onClose:He,children:r(Un,{change:o,action:"Create team",fields:Vr,onCancel:He,children:r(ol,{draft:t,onChange:n,error:o.error})})})}
function Nu({of:e}){let{zone:t}=F(),[n]=q(()=>nl(e,t)),{draft:o,onChange:s}=xs(n),i=zn(()=>We("PATCH /admin/v1/teams/{team}",{path:{team:e.id},body:Lo(o,n,t)}),
l=>{Hn(`The team ${l.name} is changed. The change holds for all its keys already.`,l.warnings),He()});return r(Tt,{title:`Change ${e.name}`,aside:!0,firm:"besid\
e",onClose:He,children:r(Un,{change:i,action:"Save",fields:Vr,onCancel:He,disabled:Iu(o,n),children:r(ol,{draft:o,onChange:s,error:i.error})})})}function Iu(e,t){
return Vr.every(n=>e[n]===t[n])}function Gu({of:e}){let{zone:t}=F(),[n,o]=q(""),[s,i]=q(null),l=zn(()=>We("POST /admin/v1/keys/{key}/rotate",{path:{key:e.id},body:n.
trim()===""?{}:{grace:n.trim()}}),a=>{i(a),Hn(a.previous_until?`${a.name} has another secret. The one before works until ${mt(new Date(a.previous_until),t)}.`:`${a.
name} has another secret. The one before is refused.`)});return s?r(sl,{minted:s,onClose:He}):r(Tt,{title:`Rotate ${e.name}`,firm:"beside",onClose:He,children:r(
Un,{change:l,action:"Rotate",fields:["grace"],onCancel:He,children:[r("p",{children:"The key gets another secret, and keeps its name, limits and budgets."}),e.previous_until&&
r("p",{class:"warn",children:["The secret before the last rotation works until ",mt(new Date(e.previous_until),t),". It ends now."]}),r("div",{class:"field",children:[
r(ae,{label:"How long the secret until now goes on working",autofocus:!0,placeholder:"not at all",hint:"Such as 30m, 12h, 7d, 2w. Empty ends it at once.",value:n,
onInput:o,wrong:St(l.error,"grace")}),r(Oo,{label:"Examples of times",texts:["1h","24h","7d"],onPick:o})]})]})})}function zu({of:e,lastUsed:t}){let[n,o]=q(""),[
s,i]=q(!1),l=zn(()=>We("DELETE /admin/v1/keys/{key}",{path:{key:e.id},query:s?{now:s}:{}}),a=>{a.unsaved?Hn(`${a.name} is refused here, but the store does not h\
ave that yet: ${a.unsaved.reason}`,[],!0):Hn(`${a.name} is revoked.`),He()});return r(Tt,{title:`Revoke ${e.name}`,firm:"beside",onClose:He,children:r(Un,{change:l,
action:"Revoke",danger:!0,disabled:n!==e.name,fields:[],onCancel:He,children:[r("p",{children:["The key is refused from then on, everywhere and for good. ",t]}),
r(gn,{label:"End its running requests as well (--now). Otherwise they finish",checked:s,onChange:i}),r(ae,{label:`Type ${e.name} to revoke it`,autofocus:!0,value:n,
onInput:o})]})})}function Uu({of:e,keys:t}){let[n,o]=q(""),s=zn(()=>We("DELETE /admin/v1/teams/{team}",{path:{team:e.id}}),i=>{Hn(`The team ${i.name} is revoked\
. Its keys are refused until they are in another one.`),He()});return r(Tt,{title:`Revoke ${e.name}`,firm:"beside",onClose:He,children:r(Un,{change:s,action:"Re\
voke",danger:!0,disabled:n!==e.name,fields:[],onCancel:He,children:[r("p",{children:["This is for good. ",t===null?"All its keys are":t===0?"It has no keys that\
 would be":t===1?"Its one key is":`Its ${t} keys are`," refused; running requests finish. A key works again once it is in another team."]}),r(ae,{label:`Type ${e.
name} to revoke it`,autofocus:!0,value:n,onInput:o})]})})}var Yr="other",il=new Map;function Hu(e){let t=new Set;for(let n of e){let o=il.get(n);o!==void 0&&t.add(o)}return e.map(n=>zm(n,t))}function zm(e,t){if(e===Yr)
return 8;let n=il.get(e);if(n!==void 0)return n;let o=Um(e)%7;for(let s=0;s<7&&t.has(o+1);s++)o=(o+1)%7;return t.add(o+1),il.set(e,o+1),o+1}function Um(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function Zr(e){let t=document.createElement("i");t.style.color=e,t.hidden=!0,document.
body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var Hm=7;function ll(e,t){return e.hour!==void 0?new Date(e.hour):Kt(e.day??(e.month??"1970-01")+"-01",t)}function Cn(e,t,n,o){let s=[];for(let i=Wm(e,n,o);i<t&&
s.length<5e3;i=Bm(i,n,o))s.push(i);return s}function Wm(e,t,n){if(t==="hour")return e;let o=Dt(e,n).slice(0,10);return Kt(t==="day"?o:o.slice(0,8)+"01",n)}function Bm(e,t,n){
if(t==="hour")return new Date(e.getTime()+36e5);let[o=0,s=1,i=1]=Dt(e,n).slice(0,10).split("-").map(Number),l=t==="day"?new Date(Date.UTC(o,s-1,i+1)):new Date(Date.
UTC(o,s,1));return Kt(l.toISOString().slice(0,10),n)}function dr(e,t){switch(t){case"team":return e.team===""?"no team":e.team_name||e.key===void 0&&e.name||e.team||
"";case"key":return e.name||e.key||"";case"tag":return e.tag??"";case"provider":return e.provider??"";default:return e.model??""}}function Jr({rows:e,xs:t,zone:n,
group:o,value:s}){let i=new Map;for(let p of e)i.set(o(p),(i.get(o(p))??0)+s(p));let l=[...i].filter(([p,h])=>h>0&&p!==Yr).toSorted((p,h)=>h[1]-p[1]).slice(0,Hm).
map(([p])=>p),a=new Map(l.map(p=>[p,{name:p,values:t.map(()=>0)}])),c=new Map(t.map((p,h)=>[p.getTime(),h]));for(let p of e){let h=a.has(o(p))?o(p):Yr;if(s(p)===
0)continue;let m=a.get(h);m||a.set(h,m={name:h,values:t.map(()=>0)});let y=c.get(ll(p,n).getTime());y!==void 0&&(m.values[y]=(m.values[y]??0)+s(p))}return[...a.
values()]}function Wu(e,t,n){let o=new Map(e.map(s=>[new Date(s.at??0).getTime(),s[n]]));return[["p50",1],["p95",6],["p99",8]].map(([s,i])=>({name:s,slot:i,values:t.
map(l=>o.get(l.getTime())?.[`${s}_us`]??null)}))}var al="weir-scheme",Bu=["light","dark","system"];function Ss(){try{let e=localStorage.getItem(al);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function ju(e){try{e==="system"?localStorage.removeItem(al):localStorage.setItem(al,e)}catch{}Fo(e)}function Fo(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,Ko.dispatchEvent(new Event("scheme"))}var Ko=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>Ko.dispatchEvent(new Event("scheme")));var jm="uplot",Vm="u-hz",Ym="u-vt",Zm="u-title",Jm="u-wrap",Qm="u-under",Xm="u-over",ef="u-axis",fr="u-off",tf="u-select",nf="u-cursor-x",rf="u-cursor-y",of="u-\
cursor-pt",sf="u-legend",lf="u-live",af="u-inline",uf="u-series",cf="u-marker",Vu="u-label",df="u-value",Io="width",Go="height";var Yu="bottom",Qr="left",ul="right",Cl="#000",Zu=Cl+"0",cl="mousemove",Ju="mousedown",dl="mouseup",Qu="mouseenter",Xu="mouseleave",ec="dblclick",pf="resize",mf="\
scroll",tc="change",Rs="dppxchange",Pl="--",so=typeof window<"u",hl=so?document:null,eo=so?window:null,ff=so?navigator:null,ye,Cs;function bl(){let e=devicePixelRatio;
ye!=e&&(ye=e,Cs&&_l(tc,Cs,bl),Cs=matchMedia(`(min-resolution: ${ye-.001}dppx) and (max-resolution: ${ye+.001}dppx)`),gr(tc,Cs,bl),eo.dispatchEvent(new CustomEvent(
Rs)))}function Nt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function yl(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Ae(e,t,n){
e.style[t]=n+"px"}function rn(e,t,n,o){let s=hl.createElement(e);return t!=null&&Nt(s,t),n?.insertBefore(s,o),s}function Vt(e,t){return rn("div",e,t)}var nc=new WeakMap;
function bn(e,t,n,o,s){let i="translate("+t+"px,"+n+"px)",l=nc.get(e);i!=l&&(e.style.transform=i,nc.set(e,i),t<0||n<0||t>o||n>s?Nt(e,fr):yl(e,fr))}var rc=new WeakMap;
function oc(e,t,n){let o=t+n,s=rc.get(e);o!=s&&(rc.set(e,o),e.style.background=t,e.style.borderColor=n)}var sc=new WeakMap;function ic(e,t,n,o){let s=t+""+n,i=sc.
get(e);s!=i&&(sc.set(e,s),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var El={passive:!0},gf={...El,
capture:!0};function gr(e,t,n,o){t.addEventListener(e,n,o?gf:El)}function _l(e,t,n,o){t.removeEventListener(e,n,El)}so&&bl();function on(e,t,n,o){let s;n=n||0,o=
o||t.length-1;let i=o<=2147483647;for(;o-n>1;)s=i?n+o>>1:It((n+o)/2),t[s]<e?n=s:o=s;return e-t[n]<=t[o]-e?n:o}function Ac(e){return(n,o,s)=>{let i=-1,l=-1;for(let a=o;a<=
s;a++)if(e(n[a])){i=a;break}for(let a=s;a>=o;a--)if(e(n[a])){l=a;break}return[i,l]}}var Lc=e=>e!=null,Oc=e=>e!=null&&e>0,$s=Ac(Lc),hf=Ac(Oc);function bf(e,t,n,o=0,s=!1){
let i=s?hf:$s,l=s?Oc:Lc;[t,n]=i(e,t,n);let a=e[t],c=e[t];if(t>-1)if(o==1)a=e[t],c=e[n];else if(o==-1)a=e[n],c=e[t];else for(let p=t;p<=n;p++){let h=e[p];l(h)&&(h<
a?a=h:h>c&&(c=h))}return[a??Ce,c??-Ce]}function As(e,t,n,o){let s=uc(e),i=uc(t);e==t&&(s==-1?(e*=n,t/=n):(e/=n,t*=n));let l=n==10?Pn:Fc,a=s==1?It:Yt,c=i==1?Yt:It,
p=a(l(Xe(e))),h=c(l(Xe(t))),m=to(n,p),y=to(n,h);return n==10&&(p<0&&(m=Pe(m,-p)),h<0&&(y=Pe(y,-h))),o||n==2?(e=m*s,t=y*i):(e=Gc(e,m),t=Ls(t,y)),[e,t]}function Ml(e,t,n,o){
let s=As(e,t,n,o);return e==0&&(s[0]=0),t==0&&(s[1]=0),s}var Rl=.1,lc={mode:3,pad:Rl},Uo={pad:0,soft:null,mode:0},yf={min:Uo,max:Uo};function Ds(e,t,n,o){return Os(
n)?ac(e,t,n):(Uo.pad=n,Uo.soft=o?0:null,Uo.mode=o?3:0,ac(e,t,yf))}function he(e,t){return e??t}function _f(e,t,n){for(t=he(t,0),n=he(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function ac(e,t,n){let o=n.min,s=n.max,i=he(o.pad,0),l=he(s.pad,0),a=he(o.hard,-Ce),c=he(s.hard,Ce),p=he(o.soft,Ce),h=he(s.soft,-Ce),
m=he(o.mode,0),y=he(s.mode,0),b=t-e,w=Pn(b),M=Ct(Xe(e),Xe(t)),P=Pn(M),C=Xe(P-w);(b<1e-24||C>10)&&(b=0,(e==0||t==0)&&(b=1e-24,m==2&&p!=Ce&&(i=0),y==2&&h!=-Ce&&(l=
0)));let k=b||M||1e3,$=Pn(k),T=to(10,It($)),X=k*(b==0?e==0?.1:1:i),N=Pe(Gc(e-X,T/10),24),ee=e>=p&&(m==1||m==3&&N<=p||m==2&&N>=p)?p:Ce,V=Ct(a,N<ee&&e>=ee?ee:sn(ee,
N)),oe=k*(b==0?t==0?.1:1:l),j=Pe(Ls(t+oe,T/10),24),R=t<=h&&(y==1||y==3&&j>=h||y==2&&j<=h)?h:-Ce,Y=sn(c,j>R&&t<=R?R:Ct(R,j));return V==Y&&V==0&&(Y=100),[V,Y]}var vf=new Intl.
NumberFormat(so?ff.language:"en-US"),Dl=e=>vf.format(e),Gt=Math,Ms=Gt.PI,Xe=Gt.abs,It=Gt.floor,Qe=Gt.round,Yt=Gt.ceil,sn=Gt.min,Ct=Gt.max,to=Gt.pow,uc=Gt.sign,Pn=Gt.
log10,Fc=Gt.log2,wf=(e,t=1)=>Gt.sinh(e)*t,pl=(e,t=1)=>Gt.asinh(e/t),Ce=1/0;function cc(e){return(Pn((e^e>>31)-(e>>31))|0)+1}function vl(e,t,n){return sn(Ct(e,t),
n)}function Kc(e){return typeof e=="function"}function ue(e){return Kc(e)?e:()=>e}var kf=()=>{},Nc=e=>e,Ic=(e,t)=>t,xf=e=>null,dc=e=>!0,pc=(e,t)=>e==t,Tf=/\.\d*?(?=9{6,}|0{6,})/gm,
hr=e=>{if(Uc(e)||jn.has(e))return e;let t=`${e}`,n=t.match(Tf);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[s,i]=t.split("e");return+`${hr(
s)}e${i}`}return Pe(e,o)};function pr(e,t){return hr(Pe(hr(e/t))*t)}function Ls(e,t){return hr(Yt(hr(e/t))*t)}function Gc(e,t){return hr(It(hr(e/t))*t)}function Pe(e,t=0){
if(Uc(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return Qe(o)/n}var jn=new Map;function zc(e){return((""+e).split(".")[1]||"").length}function Wo(e,t,n,o){
let s=[],i=o.map(zc);for(let l=t;l<n;l++){let a=Xe(l),c=Pe(to(e,l),a);for(let p=0;p<o.length;p++){let h=e==10?+`${o[p]}e${l}`:o[p]*c,m=(l>=0?0:a)+(l>=i[p]?0:i[p]),
y=e==10?h:Pe(h,m);s.push(y),jn.set(y,m)}}return s}var Ho={},ql=[],no=[null,null],Bn=Array.isArray,Uc=Number.isInteger,Sf=e=>e===void 0;function mc(e){return typeof e==
"string"}function Os(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Cf(e){return e!=null&&typeof e=="object"}var Pf=Object.getPrototypeOf(
Uint8Array),Hc="__proto__";function ro(e,t=Os){let n;if(Bn(e)){let o=e.find(s=>s!=null);if(Bn(o)||t(o)){n=Array(e.length);for(let s=0;s<e.length;s++)n[s]=ro(e[s],
t)}else n=e.slice()}else if(e instanceof Pf)n=e.slice();else if(t(e)){n={};for(let o in e)o!=Hc&&(n[o]=ro(e[o],t))}else n=e;return n}function Ye(e){let t=arguments;
for(let n=1;n<t.length;n++){let o=t[n];for(let s in o)s!=Hc&&(Os(e[s])?Ye(e[s],ro(o[s])):e[s]=ro(o[s]))}return e}var Ef=0,Mf=1,Rf=2;function Df(e,t,n){for(let o=0,
s,i=-1;o<t.length;o++){let l=t[o];if(l>i){for(s=l-1;s>=0&&e[s]==null;)e[s--]=null;for(s=l+1;s<n&&e[s]==null;)e[i=s++]=null}}}function qf(e,t){if(Lf(e)){let l=e[0].
slice();for(let a=1;a<e.length;a++)l.push(...e[a].slice(1));return Of(l[0])||(l=Af(l)),l}let n=new Set;for(let l=0;l<e.length;l++){let c=e[l][0],p=c.length;for(let h=0;h<
p;h++)n.add(c[h])}let o=[Array.from(n).sort((l,a)=>l-a)],s=o[0].length,i=new Map;for(let l=0;l<s;l++)i.set(o[0][l],l);for(let l=0;l<e.length;l++){let a=e[l],c=a[0];
for(let p=1;p<a.length;p++){let h=a[p],m=Array(s).fill(void 0),y=t?t[l][p]:Mf,b=[];for(let w=0;w<h.length;w++){let M=h[w],P=i.get(c[w]);M===null?y!=Ef&&(m[P]=M,
y==Rf&&b.push(P)):m[P]=M}Df(m,b,s),o.push(m)}}return o}var $f=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function Af(e){let t=e[0],n=t.
length,o=Array(n);for(let i=0;i<o.length;i++)o[i]=i;o.sort((i,l)=>t[i]-t[l]);let s=[];for(let i=0;i<e.length;i++){let l=e[i],a=Array(n);for(let c=0;c<n;c++)a[c]=
l[o[c]];s.push(a)}return s}function Lf(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let s=e[o][0];if(s.length!=n)return!1;if(s!=t){for(let i=0;i<n;i++)
if(s[i]!=t[i])return!1}}return!0}function Of(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,s=n-1;for(;o<=s&&e[o]==null;)o++;for(;s>=o&&e[s]==null;)s--;if(s<=
o)return!0;let i=Ct(1,It((s-o+1)/t));for(let l=e[o],a=o+i;a<=s;a+=i){let c=e[a];if(c!=null){if(c<=l)return!1;l=c}}return!0}var Wc=["January","February","March",
"April","May","June","July","August","September","October","November","December"],Bc=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function jc(e){
return e.slice(0,3)}var Ff=Bc.map(jc),Kf=Wc.map(jc),Nf={MMMM:Wc,MMM:Kf,WWWW:Bc,WWW:Ff};function No(e){return(e<10?"0":"")+e}function If(e){return(e<10?"00":e<100?
"0":"")+e}var Gf={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>No(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>No(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>No(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>No(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>No(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>If(e.getMilliseconds())};function $l(e,t){t=t||Nf;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,
s;for(;s=o.exec(e);)n.push(s[0][0]=="{"?Gf[s[1]]:s[0]);return i=>{let l="";for(let a=0;a<n.length;a++)l+=typeof n[a]=="string"?n[a]:n[a](i,t);return l}}var zf=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function Uf(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==zf?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var Vc=e=>e%1==0,qs=[1,2,2.5,5],Hf=Wo(10,-32,0,qs),Yc=Wo(10,0,32,qs),Wf=Yc.filter(
Vc),mr=Hf.concat(Yc),Al=`
`,Zc="{YYYY}",fc=Al+Zc,Jc="{M}/{D}",zo=Al+Jc,Ps=zo+"/{YY}",Qc="{aa}",Bf="{h}:{mm}",Xr=Bf+Qc,gc=Al+Xr,hc=":{ss}",we=null;function Xc(e){let t=e*1e3,n=t*60,o=n*60,
s=o*24,i=s*30,l=s*365,c=(e==1?Wo(10,0,3,qs).filter(Vc):Wo(10,-3,0,qs)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,s,s*2,s*3,s*
4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,i,i*2,i*3,i*4,i*6,l,l*2,l*5,l*10,l*25,l*50,l*100]),p=[[l,Zc,we,we,we,we,we,we,1],[s*28,"{MMM}",fc,we,we,we,we,we,1],[s,Jc,fc,we,
we,we,we,we,1],[o,"{h}"+Qc,Ps,we,zo,we,we,we,1],[n,Xr,Ps,we,zo,we,we,we,1],[t,hc,Ps+" "+Xr,we,zo+" "+Xr,we,gc,we,1],[e,hc+".{fff}",Ps+" "+Xr,we,zo+" "+Xr,we,gc,
we,1]];function h(m){return(y,b,w,M,P,C)=>{let k=[],$=P>=l,T=P>=i&&P<l,X=m(w),N=Pe(X*e,3),ee=ml(X.getFullYear(),$?0:X.getMonth(),T||$?1:X.getDate()),V=Pe(ee*e,3);
if(T||$){let oe=T?P/i:0,j=$?P/l:0,R=N==V?N:Pe(ml(ee.getFullYear()+j,ee.getMonth()+oe,1)*e,3),Y=new Date(Qe(R/e)),L=Y.getFullYear(),J=Y.getMonth();for(let B=0;R<=
M;B++){let ce=ml(L+j*B,J+oe*B,1),W=ce-m(Pe(ce*e,3));R=Pe((+ce+W)*e,3),R<=M&&k.push(R)}}else{let oe=P>=s?s:P,j=It(w)-It(N),R=V+j+Ls(N-V,oe);k.push(R);let Y=m(R),
L=Y.getHours()+Y.getMinutes()/n+Y.getSeconds()/o,J=P/o,B=y.axes[b]._space,ce=C/B;for(;R=Pe(R+P,e==1?0:3),!(R>M);)if(J>1){let W=It(Pe(L+J,6))%24,pe=m(R).getHours()-
W;pe>1&&(pe=-1),R-=pe*o,L=(L+J)%24;let xe=k[k.length-1];Pe((R-xe)/P,3)*ce>=.7&&k.push(R)}else k.push(R)}return k}}return[c,p,h]}var[jf,Vf,Yf]=Xc(1),[Zf,Jf,Qf]=Xc(
.001);Wo(2,-53,53,[1]);function bc(e,t){return e.map(n=>n.map((o,s)=>s==0||s==8||o==null?o:t(s==1||n[8]==0?o:n[1]+o)))}function yc(e,t){return(n,o,s,i,l)=>{let a=t.
find(w=>l>=w[0])||t[t.length-1],c,p,h,m,y,b;return o.map(w=>{let M=e(w),P=M.getFullYear(),C=M.getMonth(),k=M.getDate(),$=M.getHours(),T=M.getMinutes(),X=M.getSeconds(),
N=P!=c&&a[2]||C!=p&&a[3]||k!=h&&a[4]||$!=m&&a[5]||T!=y&&a[6]||X!=b&&a[7]||a[1];return c=P,p=C,h=k,m=$,y=T,b=X,N(M)})}}function Xf(e,t){let n=$l(t);return(o,s,i,l,a)=>s.
map(c=>n(e(c)))}function ml(e,t,n){return new Date(e,t,n)}function _c(e,t){return t(e)}var eg="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function vc(e,t){return(n,o,s,i)=>i==
null?Pl:t(e(o))}function tg(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function ng(e,t){return e.series[t].fill(
e,t)}var rg={show:!0,live:!0,isolate:!1,mount:kf,markers:{show:!0,width:2,stroke:tg,fill:ng,dash:"solid"},idx:null,idxs:null,values:[]};function og(e,t){let n=e.
cursor.points,o=Vt(),s=n.size(e,t);Ae(o,Io,s),Ae(o,Go,s);let i=s/-2;Ae(o,"marginLeft",i),Ae(o,"marginTop",i);let l=n.width(e,t,s);return l&&Ae(o,"borderWidth",l),
o}function sg(e,t){let n=e.series[t].points;return n._fill||n._stroke}function ig(e,t){let n=e.series[t].points;return n._stroke||n._fill}function lg(e,t){return e.
series[t].points.size}var fl=[0,0];function ag(e,t,n){return fl[0]=t,fl[1]=n,fl}function Es(e,t,n,o=!0){return s=>{s.button==0&&(!o||s.target==t)&&n(s)}}function gl(e,t,n,o=!0){
return s=>{(!o||s.target==t)&&n(s)}}var ug={show:!0,x:!0,y:!0,lock:!1,move:ag,points:{one:!1,show:og,size:lg,width:0,stroke:ig,fill:sg},bind:{mousedown:Es,mouseup:Es,
click:Es,dblclick:Es,mousemove:gl,mouseleave:gl,mouseenter:gl},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,o,s)=>o-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ed={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ll=Ye({},ed,{filter:Ic}),td=Ye({},Ll,{size:10}),nd=Ye({},ed,{show:!1}),Ol='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',rd="bold "+Ol,od=1.5,wc={
show:!0,scale:"x",stroke:Cl,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:rd,side:2,grid:Ll,ticks:td,border:nd,font:Ol,lineGap:od,rotate:0},
cg="Value",dg="Time",kc={show:!0,scale:"x",auto:!1,sorted:1,min:Ce,max:-Ce,idxs:[]};function pg(e,t,n,o,s){return t.map(i=>i==null?"":Dl(i))}function mg(e,t,n,o,s,i,l){
let a=[],c=jn.get(s)||0;n=l?n:Pe(Ls(n,s),c);for(let p=n;p<=o;p=Pe(p+s,c))a.push(Object.is(p,-0)?0:p);return a}function wl(e,t,n,o,s,i,l){let a=[],c=e.scales[e.axes[t].
scale].log,p=c==10?Pn:Fc,h=It(p(n));s=to(c,h),c==10&&(s=mr[on(s,mr)]);let m=n,y=s*c;c==10&&(y=mr[on(y,mr)]);do a.push(m),m=m+s,c==10&&!jn.has(m)&&(m=Pe(m,jn.get(
s))),m>=y&&(s=m,y=s*c,c==10&&(y=mr[on(y,mr)]));while(m<=o);return a}function fg(e,t,n,o,s,i,l){let c=e.scales[e.axes[t].scale].asinh,p=o>c?wl(e,t,Ct(c,n),o,s):[
c],h=o>=0&&n<=0?[0]:[];return(n<-c?wl(e,t,Ct(c,-o),-n,s):[c]).reverse().map(y=>-y).concat(h,p)}var sd=/./,gg=/[12357]/,hg=/[125]/,xc=/1/,kl=(e,t,n,o)=>e.map((s,i)=>t==
4&&s==0||i%o==0&&n.test(s.toExponential()[s<0?1:0])?s:null);function bg(e,t,n,o,s){let i=e.axes[n],l=i.scale,a=e.scales[l],c=e.valToPos,p=i._space,h=c(10,l),m=c(
9,l)-h>=p?sd:c(7,l)-h>=p?gg:c(5,l)-h>=p?hg:xc;if(m==xc){let y=Xe(c(1,l)-h);if(y<p)return kl(t.slice().reverse(),a.distr,m,Yt(p/y)).reverse()}return kl(t,a.distr,
m,1)}function yg(e,t,n,o,s){let i=e.axes[n],l=i.scale,a=i._space,c=e.valToPos,p=Xe(c(1,l)-c(2,l));return p<a?kl(t.slice().reverse(),3,sd,Yt(a/p)).reverse():t}function _g(e,t,n,o){
return o==null?Pl:t==null?"":Dl(t)}var Tc={show:!0,scale:"y",stroke:Cl,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:rd,side:3,grid:Ll,ticks:td,
border:nd,font:Ol,lineGap:od,rotate:0};function vg(e,t){let n=3+(e||1)*2;return Pe(n*t,3)}function wg(e,t){let{scale:n,idxs:o}=e.series[0],s=e._data[0],i=e.valToPos(
s[o[0]],n,!0),l=e.valToPos(s[o[1]],n,!0),a=Xe(l-i),c=e.series[t],p=a/(c.points.space*ye);return o[1]-o[0]<=p}var Sc={scale:null,auto:!0,sorted:0,min:Ce,max:-Ce},
id=(e,t,n,o,s)=>s,Cc={show:!0,auto:!0,sorted:0,gaps:id,alpha:1,facets:[Ye({},Sc,{scale:"x"}),Ye({},Sc,{scale:"y"})]},Pc={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:id,alpha:1,points:{show:wg,filter:null},values:null,min:Ce,max:-Ce,idxs:[],path:null,clip:null};function kg(e,t,n,o,s){return n/10}var ld={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},xg=Ye({},ld,{time:!1,ori:1}),Ec={};function ad(e,t){let n=Ec[e];return n||(n={key:e,plots:[],sub(o){n.plots.
push(o)},unsub(o){n.plots=n.plots.filter(s=>s!=o)},pub(o,s,i,l,a,c,p){for(let h=0;h<n.plots.length;h++)n.plots[h]!=s&&n.plots[h].pub(o,s,i,l,a,c,p)}},e!=null&&(Ec[e]=
n)),n}var oo=1,xl=2;function br(e,t,n){let o=e.mode,s=e.series[t],i=o==2?e._data[t]:e._data,l=e.scales,a=e.bbox,c=i[0],p=o==2?i[1]:i[t],h=o==2?l[s.facets[0].scale]:
l[e.series[0].scale],m=o==2?l[s.facets[1].scale]:l[s.scale],y=a.left,b=a.top,w=a.width,M=a.height,P=e.valToPosH,C=e.valToPosV;return h.ori==0?n(s,c,p,h,m,P,C,y,
b,w,M,Ks,io,Is,cd,pd):n(s,c,p,h,m,C,P,b,y,M,w,Ns,lo,Nl,dd,md)}function Fl(e,t){let n=0,o=0,s=he(e.bands,ql);for(let i=0;i<s.length;i++){let l=s[i];l.series[0]==
t?n=l.dir:l.series[1]==t&&(l.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function Tg(e,t,n,o,s){let i=e.mode,l=e.series[t],a=i==2?l.facets[1].scale:l.scale,
c=e.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function En(e,t,n,o,s,i){return br(e,t,(l,a,c,p,h,m,y,b,w,M,P)=>{let C=l.pxRound,k=p.
dir*(p.ori==0?1:-1),$=p.ori==0?io:lo,T,X;k==1?(T=n,X=o):(T=o,X=n);let N=C(m(a[T],p,M,b)),ee=C(y(c[T],h,P,w)),V=C(m(a[X],p,M,b)),oe=C(y(i==1?h.max:h.min,h,P,w)),
j=new Path2D(s);return $(j,V,oe),$(j,N,oe),$(j,N,ee),j})}function Fs(e,t,n,o,s,i){let l=null;if(e.length>0){l=new Path2D;let a=t==0?Is:Nl,c=n;for(let m=0;m<e.length;m++){
let y=e[m];if(y[1]>y[0]){let b=y[0]-c;b>0&&a(l,c,o,b,o+i),c=y[1]}}let p=n+s-c,h=10;p>0&&a(l,c,o-h/2,p,o+i+h)}return l}function Sg(e,t,n){let o=e[e.length-1];o&&
o[0]==t?o[1]=n:e.push([t,n])}function Kl(e,t,n,o,s,i,l){let a=[],c=e.length;for(let p=s==1?n:o;p>=n&&p<=o;p+=s)if(t[p]===null){let m=p,y=p;if(s==1)for(;++p<=o&&
t[p]===null;)y=p;else for(;--p>=n&&t[p]===null;)y=p;let b=i(e[m]),w=y==m?b:i(e[y]),M=m-s;b=l<=0&&M>=0&&M<c?i(e[M]):b;let C=y+s;w=l>=0&&C>=0&&C<c?i(e[C]):w,w>=b&&
a.push([b,w])}return a}function Mc(e){return e==0?Nc:e==1?Qe:t=>pr(t,e)}function ud(e){let t=e==0?Ks:Ns,n=e==0?(s,i,l,a,c,p)=>{s.arcTo(i,l,a,c,p)}:(s,i,l,a,c,p)=>{
s.arcTo(l,i,c,a,p)},o=e==0?(s,i,l,a,c)=>{s.rect(i,l,a,c)}:(s,i,l,a,c)=>{s.rect(l,i,c,a)};return(s,i,l,a,c,p=0,h=0)=>{p==0&&h==0?o(s,i,l,a,c):(p=sn(p,a/2,c/2),h=
sn(h,a/2,c/2),t(s,i+p,l),n(s,i+a,l,i+a,l+c,p),n(s,i+a,l+c,i,l+c,h),n(s,i,l+c,i,l,h),n(s,i,l,i+a,l,p),s.closePath())}}var Ks=(e,t,n)=>{e.moveTo(t,n)},Ns=(e,t,n)=>{
e.moveTo(n,t)},io=(e,t,n)=>{e.lineTo(t,n)},lo=(e,t,n)=>{e.lineTo(n,t)},Is=ud(0),Nl=ud(1),cd=(e,t,n,o,s,i)=>{e.arc(t,n,o,s,i)},dd=(e,t,n,o,s,i)=>{e.arc(n,t,o,s,i)},
pd=(e,t,n,o,s,i,l)=>{e.bezierCurveTo(t,n,o,s,i,l)},md=(e,t,n,o,s,i,l)=>{e.bezierCurveTo(n,t,s,o,l,i)};function fd(e){return(t,n,o,s,i)=>br(t,n,(l,a,c,p,h,m,y,b,w,M,P)=>{
let{pxRound:C,points:k}=l,$,T;p.ori==0?($=Ks,T=cd):($=Ns,T=dd);let X=Pe(k.width*ye,3),N=(k.size-k.width)/2*ye,ee=Pe(N*2,3),V=new Path2D,oe=new Path2D,{left:j,top:R,
width:Y,height:L}=t.bbox;Is(oe,j-ee,R-ee,Y+ee*2,L+ee*2);let J=B=>{if(c[B]!=null){let ce=C(m(a[B],p,M,b)),W=C(y(c[B],h,P,w));$(V,ce+N,W),T(V,ce,W,N,0,Ms*2)}};if(i)
i.forEach(J);else for(let B=o;B<=s;B++)J(B);return{stroke:X>0?V:null,fill:V,clip:oe,flags:oo|xl}})}function gd(e){return(t,n,o,s,i,l)=>{o!=s&&(i!=o&&l!=o&&e(t,n,
o),i!=s&&l!=s&&e(t,n,s),e(t,n,l))}}var Cg=gd(io),Pg=gd(lo);function hd(e){let t=he(e?.alignGaps,0);return(n,o,s,i)=>br(n,o,(l,a,c,p,h,m,y,b,w,M,P)=>{[s,i]=$s(c,
s,i);let C=l.pxRound,k=L=>C(m(L,p,M,b)),$=L=>C(y(L,h,P,w)),T,X;p.ori==0?(T=io,X=Cg):(T=lo,X=Pg);let N=p.dir*(p.ori==0?1:-1),ee={stroke:new Path2D,fill:null,clip:null,
band:null,gaps:null,flags:oo},V=ee.stroke,oe=!1;if(i-s>=M*4){let L=U=>n.posToVal(U,p.key,!0),J=null,B=null,ce,W,Pt,Le=k(a[N==1?s:i]),pe=k(a[s]),xe=k(a[i]),se=L(
N==1?pe+1:xe-1);for(let U=N==1?s:i;U>=s&&U<=i;U+=N){let Ze=a[U],Oe=(N==1?Ze<se:Ze>se)?Le:k(Ze),_e=c[U];Oe==Le?_e!=null?(W=_e,J==null?(T(V,Oe,$(W)),ce=J=B=W):W<J?
J=W:W>B&&(B=W)):_e===null&&(oe=!0):(J!=null&&X(V,Le,$(J),$(B),$(ce),$(W)),_e!=null?(W=_e,T(V,Oe,$(W)),J=B=ce=W):(J=B=null,_e===null&&(oe=!0)),Le=Oe,se=L(Le+N))}
J!=null&&J!=B&&Pt!=Le&&X(V,Le,$(J),$(B),$(ce),$(W))}else for(let L=N==1?s:i;L>=s&&L<=i;L+=N){let J=c[L];J===null?oe=!0:J!=null&&T(V,k(a[L]),$(J))}let[R,Y]=Fl(n,
o);if(l.fill!=null||R!=0){let L=ee.fill=new Path2D(V),J=l.fillTo(n,o,l.min,l.max,R),B=$(J),ce=k(a[s]),W=k(a[i]);N==-1&&([W,ce]=[ce,W]),T(L,W,B),T(L,ce,B)}if(!l.
spanGaps){let L=[];oe&&L.push(...Kl(a,c,s,i,N,k,t)),ee.gaps=L=l.gaps(n,o,s,i,L),ee.clip=Fs(L,p.ori,b,w,M,P)}return Y!=0&&(ee.band=Y==2?[En(n,o,s,i,V,-1),En(n,o,
s,i,V,1)]:En(n,o,s,i,V,Y)),ee})}function Eg(e){let t=he(e.align,1),n=he(e.ascDesc,!1),o=he(e.alignGaps,0),s=he(e.extend,!1);return(i,l,a,c)=>br(i,l,(p,h,m,y,b,w,M,P,C,k,$)=>{
[a,c]=$s(m,a,c);let T=p.pxRound,{left:X,width:N}=i.bbox,ee=pe=>T(w(pe,y,k,P)),V=pe=>T(M(pe,b,$,C)),oe=y.ori==0?io:lo,j={stroke:new Path2D,fill:null,clip:null,band:null,
gaps:null,flags:oo},R=j.stroke,Y=y.dir*(y.ori==0?1:-1),L=V(m[Y==1?a:c]),J=ee(h[Y==1?a:c]),B=J,ce=J;s&&t==-1&&(ce=X,oe(R,ce,L)),oe(R,J,L);for(let pe=Y==1?a:c;pe>=
a&&pe<=c;pe+=Y){let xe=m[pe];if(xe==null)continue;let se=ee(h[pe]),U=V(xe);t==1?oe(R,se,L):oe(R,B,U),oe(R,se,U),L=U,B=se}let W=B;s&&t==1&&(W=X+N,oe(R,W,L));let[
Pt,Le]=Fl(i,l);if(p.fill!=null||Pt!=0){let pe=j.fill=new Path2D(R),xe=p.fillTo(i,l,p.min,p.max,Pt),se=V(xe);oe(pe,W,se),oe(pe,ce,se)}if(!p.spanGaps){let pe=[];pe.
push(...Kl(h,m,a,c,Y,ee,o));let xe=p.width*ye/2,se=n||t==1?xe:-xe,U=n||t==-1?-xe:xe;pe.forEach(Ze=>{Ze[0]+=se,Ze[1]+=U}),j.gaps=pe=p.gaps(i,l,a,c,pe),j.clip=Fs(
pe,y.ori,P,C,k,$)}return Le!=0&&(j.band=Le==2?[En(i,l,a,c,R,-1),En(i,l,a,c,R,1)]:En(i,l,a,c,R,Le)),j})}function Rc(e,t,n,o,s,i,l=Ce){if(e.length>1){let a=null;for(let c=0,
p=1/0;c<e.length;c++)if(t[c]!==void 0){if(a!=null){let h=Xe(e[c]-e[a]);h<p&&(p=h,l=Xe(n(e[c],o,s,i)-n(e[a],o,s,i)))}a=c}}return l}function Mg(e){e=e||Ho;let t=he(
e.size,[.6,Ce,1]),n=e.align||0,o=e.gap||0,s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let i=ue(s),l=1-t[0],a=he(t[1],Ce),c=he(t[2],1),p=he(e.disp,Ho),
h=he(e.each,b=>{}),{fill:m,stroke:y}=p;return(b,w,M,P)=>br(b,w,(C,k,$,T,X,N,ee,V,oe,j,R)=>{let Y=C.pxRound,L=n,J=o*ye,B=a*ye,ce=c*ye,W,Pt;T.ori==0?[W,Pt]=i(b,w):
[Pt,W]=i(b,w);let Le=T.dir*(T.ori==0?1:-1),pe=T.ori==0?Is:Nl,xe=T.ori==0?h:(K,Ee,Je,kr,Qn,an,Xn)=>{h(K,Ee,Je,Qn,kr,Xn,an)},se=he(b.bands,ql).find(K=>K.series[0]==
w),U=se!=null?se.dir:0,Ze=C.fillTo(b,w,C.min,C.max,U),ht=Y(ee(Ze,X,R,oe)),Oe,_e,Zt,qt=j,Ke=Y(C.width*ye),ln=!1,_n=null,zt=null,Mn=null,_r=null;m!=null&&(Ke==0||
y!=null)&&(ln=!0,_n=m.values(b,w,M,P),zt=new Map,new Set(_n).forEach(K=>{K!=null&&zt.set(K,new Path2D)}),Ke>0&&(Mn=y.values(b,w,M,P),_r=new Map,new Set(Mn).forEach(
K=>{K!=null&&_r.set(K,new Path2D)})));let{x0:vr,size:po}=p;if(vr!=null&&po!=null){L=1,k=vr.values(b,w,M,P),vr.unit==2&&(k=k.map(Je=>b.posToVal(V+Je*j,T.key,!0)));
let K=po.values(b,w,M,P);po.unit==2?_e=K[0]*j:_e=N(K[0],T,j,V)-N(0,T,j,V),qt=Rc(k,$,N,T,j,V,qt),Zt=qt-_e+J}else qt=Rc(k,$,N,T,j,V,qt),Zt=qt*l+J,_e=qt-Zt;Zt<1&&(Zt=
0),Ke>=_e/2&&(Ke=0),Zt<5&&(Y=Nc);let Vo=Zt>0,Zn=qt-Zt-(Vo?Ke:0);_e=Y(vl(Zn,ce,B)),Oe=(L==0?_e/2:L==Le?0:_e)-L*Le*((L==0?J/2:0)+(Vo?Ke/2:0));let bt={stroke:null,
fill:null,clip:null,band:null,gaps:null,flags:0},wr=ln?null:new Path2D,vn=null;if(se!=null)vn=b.data[se.series[1]];else{let{y0:K,y1:Ee}=p;K!=null&&Ee!=null&&($=
Ee.values(b,w,M,P),vn=K.values(b,w,M,P))}let Jn=W*_e,re=Pt*_e;for(let K=Le==1?M:P;K>=M&&K<=P;K+=Le){let Ee=$[K];if(Ee==null)continue;if(vn!=null){let Et=vn[K]??
0;if(Ee-Et==0)continue;ht=ee(Et,X,R,oe)}let Je=T.distr!=2||p!=null?k[K]:K,kr=N(Je,T,j,V),Qn=ee(he(Ee,Ze),X,R,oe),an=Y(kr-Oe),Xn=Y(Ct(Qn,ht)),$t=Y(sn(Qn,ht)),Ut=Xn-
$t;if(Ee!=null){let Et=Ee<0?re:Jn,Jt=Ee<0?Jn:re;ln?(Ke>0&&Mn[K]!=null&&pe(_r.get(Mn[K]),an,$t+It(Ke/2),_e,Ct(0,Ut-Ke),Et,Jt),_n[K]!=null&&pe(zt.get(_n[K]),an,$t+
It(Ke/2),_e,Ct(0,Ut-Ke),Et,Jt)):pe(wr,an,$t+It(Ke/2),_e,Ct(0,Ut-Ke),Et,Jt),xe(b,w,K,an-Ke/2,$t,_e+Ke,Ut)}}return Ke>0?bt.stroke=ln?_r:wr:ln||(bt._fill=C.width==
0?C._fill:C._stroke??C._fill,bt.width=0),bt.fill=ln?zt:wr,bt})}function Rg(e,t){let n=he(t?.alignGaps,0);return(o,s,i,l)=>br(o,s,(a,c,p,h,m,y,b,w,M,P,C)=>{[i,l]=
$s(p,i,l);let k=a.pxRound,$=W=>k(y(W,h,P,w)),T=W=>k(b(W,m,C,M)),X,N,ee;h.ori==0?(X=Ks,ee=io,N=pd):(X=Ns,ee=lo,N=md);let V=h.dir*(h.ori==0?1:-1),oe=$(c[V==1?i:l]),
j=oe,R=[],Y=[];for(let W=V==1?i:l;W>=i&&W<=l;W+=V)if(p[W]!=null){let Le=c[W],pe=$(Le);R.push(j=pe),Y.push(T(p[W]))}let L={stroke:e(R,Y,X,ee,N,k),fill:null,clip:null,
band:null,gaps:null,flags:oo},J=L.stroke,[B,ce]=Fl(o,s);if(a.fill!=null||B!=0){let W=L.fill=new Path2D(J),Pt=a.fillTo(o,s,a.min,a.max,B),Le=T(Pt);ee(W,j,Le),ee(
W,oe,Le)}if(!a.spanGaps){let W=[];W.push(...Kl(c,p,i,l,V,$,n)),L.gaps=W=a.gaps(o,s,i,l,W),L.clip=Fs(W,h.ori,w,M,P,C)}return ce!=0&&(L.band=ce==2?[En(o,s,i,l,J,-1),
En(o,s,i,l,J,1)]:En(o,s,i,l,J,ce)),L})}function Dg(e){return Rg(qg,e)}function qg(e,t,n,o,s,i){let l=e.length;if(l<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),
l==2)o(a,e[1],t[1]);else{let c=Array(l),p=Array(l-1),h=Array(l-1),m=Array(l-1);for(let y=0;y<l-1;y++)h[y]=t[y+1]-t[y],m[y]=e[y+1]-e[y],p[y]=h[y]/m[y];c[0]=p[0];
for(let y=1;y<l-1;y++)p[y]===0||p[y-1]===0||p[y-1]>0!=p[y]>0?c[y]=0:(c[y]=3*(m[y-1]+m[y])/((2*m[y]+m[y-1])/p[y-1]+(m[y]+2*m[y-1])/p[y]),isFinite(c[y])||(c[y]=0));
c[l-1]=p[l-2];for(let y=0;y<l-1;y++)s(a,e[y]+m[y]/3,t[y]+c[y]*m[y]/3,e[y+1]-m[y]/3,t[y+1]-c[y+1]*m[y]/3,e[y+1],t[y+1])}return a}var Tl=new Set;function Dc(){for(let e of Tl)
e.syncRect(!0)}so&&(gr(pf,eo,Dc),gr(mf,eo,Dc,!0),gr(Rs,eo,()=>{et.pxRatio=ye}));var $g=hd(),Ag=fd();function qc(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):
[e[0]].concat(e.slice(1))).map((i,l)=>Sl(i,l,t,n))}function Lg(e,t){return e.map((n,o)=>o==0?{}:Ye({},t,n))}function Sl(e,t,n,o){return Ye({},t==0?n:o,e)}function bd(e,t,n){
return t==null?no:[t,n]}var Og=bd;function Fg(e,t,n){return t==null?no:Ds(t,n,Rl,!0)}function yd(e,t,n,o){return t==null?no:As(t,n,e.scales[o].log,!1)}var Kg=yd;
function _d(e,t,n,o){return t==null?no:Ml(t,n,e.scales[o].log,!1)}var Ng=_d;function Ig(e,t,n,o,s){let i=Ct(cc(e),cc(t)),l=t-e,a=on(s/o*l,n);do{let c=n[a],p=o*c/
l;if(p>=s&&i+(c<5?jn.get(c):0)<=17)return[c,p]}while(++a<n.length);return[0,0]}function $c(e){let t,n;return e=e.replace(/(\d+)px/,(o,s)=>(t=Qe((n=+s)*ye))+"px"),
[e,t,n]}function Gg(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=Pe(t[2]*ye,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function et(e,t,n){let o={mode:he(
e.mode,1)},s=o.mode;function i(u,d,f,g){let _=d.valToPct(u);return g+f*(d.dir==-1?1-_:_)}function l(u,d,f,g){let _=d.valToPct(u);return g+f*(d.dir==-1?_:1-_)}function a(u,d,f,g){
return d.ori==0?i(u,d,f,g):l(u,d,f,g)}o.valToPosH=i,o.valToPosV=l;let c=!1;o.status=0;let p=o.root=Vt(jm);if(e.id!=null&&(p.id=e.id),Nt(p,e.class),e.title){let u=Vt(
Zm,p);u.textContent=e.title}let h=rn("canvas"),m=o.ctx=h.getContext("2d"),y=Vt(Jm,p);gr("click",y,u=>{u.target===w&&(De!=$r||Fe!=Ar)&&dt.click(o,u)},!0);let b=o.
under=Vt(Qm,y);y.appendChild(h);let w=o.over=Vt(Xm,y);e=ro(e);let M=+he(e.pxAlign,1),P=Mc(M);(e.plugins||[]).forEach(u=>{u.opts&&(e=u.opts(o,e)||e)});let C=e.ms||
.001,k=o.series=s==1?qc(e.series||[],kc,Pc,!1):Lg(e.series||[null],Cc),$=o.axes=qc(e.axes||[],wc,Tc,!0),T=o.scales={},X=o.bands=e.bands||[];X.forEach(u=>{u.fill=
ue(u.fill||null),u.dir=he(u.dir,-1)});let N=s==2?k[1].facets[0].scale:k[0].scale,ee={axes:wp,series:hp},V=(e.drawOrder||["axes","series"]).map(u=>ee[u]);function oe(u){
let d=u.distr==3?f=>Pn(f>0?f:u.clamp(o,f,u.min,u.max,u.key)):u.distr==4?f=>pl(f,u.asinh):u.distr==100?f=>u.fwd(f):f=>f;return f=>{let g=d(f),{_min:_,_max:v}=u,x=v-
_;return(g-_)/x}}function j(u){let d=T[u];if(d==null){let f=(e.scales||Ho)[u]||Ho;if(f.from!=null){j(f.from);let g=Ye({},T[f.from],f,{key:u});g.valToPct=oe(g),T[u]=
g}else{d=T[u]=Ye({},u==N?ld:xg,f),d.key=u;let g=d.time,_=d.range,v=Bn(_);if((u!=N||s==2&&!g)&&(v&&(_[0]==null||_[1]==null)&&(_={min:_[0]==null?lc:{mode:1,hard:_[0],
soft:_[0]},max:_[1]==null?lc:{mode:1,hard:_[1],soft:_[1]}},v=!1),!v&&Os(_))){let x=_;_=(S,E,A)=>E==null?no:Ds(E,A,x)}d.range=ue(_||(g?Og:u==N?d.distr==3?Kg:d.distr==
4?Ng:bd:d.distr==3?yd:d.distr==4?_d:Fg)),d.auto=ue(v?!1:d.auto),d.clamp=ue(d.clamp||kg),d._min=d._max=null,d.valToPct=oe(d)}}}j("x"),j("y"),s==1&&k.forEach(u=>{
j(u.scale)}),$.forEach(u=>{j(u.scale)});for(let u in e.scales)j(u);let R=T[N],Y=R.distr,L,J;R.ori==0?(Nt(p,Vm),L=i,J=l):(Nt(p,Ym),L=l,J=i);let B={};for(let u in T){
let d=T[u];(d.min!=null||d.max!=null)&&(B[u]={min:d.min,max:d.max},d.min=d.max=null)}let ce=e.tzDate||(u=>new Date(Qe(u/C))),W=e.fmtDate||$l,Pt=C==1?Yf(ce):Qf(ce),
Le=yc(ce,bc(C==1?Vf:Jf,W)),pe=vc(ce,_c(eg,W)),xe=[],se=o.legend=Ye({},rg,e.legend),U=o.cursor=Ye({},ug,{drag:{y:s==2}},e.cursor),Ze=se.show,ht=U.show,Oe=se.markers;
se.idxs=xe,Oe.width=ue(Oe.width),Oe.dash=ue(Oe.dash),Oe.stroke=ue(Oe.stroke),Oe.fill=ue(Oe.fill);let _e,Zt,qt,Ke=[],ln=[],_n,zt=!1,Mn={};if(se.live){let u=k[1]?
k[1].values:null;zt=u!=null,_n=zt?u(o,1,0):{_:0};for(let d in _n)Mn[d]=Pl}if(Ze)if(_e=rn("table",sf,p),qt=rn("tbody",null,_e),se.mount(o,_e),zt){Zt=rn("thead",null,
_e,qt);let u=rn("tr",null,Zt);rn("th",null,u);for(var _r in _n)rn("th",Vu,u).textContent=_r}else Nt(_e,af),se.live&&Nt(_e,lf);let vr={show:!0},po={show:!1};function Vo(u,d){
if(d==0&&(zt||!se.live||s==2))return no;let f=[],g=rn("tr",uf,qt,qt.childNodes[d]);Nt(g,u.class),u.show||Nt(g,fr);let _=rn("th",null,g);if(Oe.show){let S=Vt(cf,
_);if(d>0){let E=Oe.width(o,d);E&&(S.style.border=E+"px "+Oe.dash(o,d)+" "+Oe.stroke(o,d)),S.style.background=Oe.fill(o,d)}}let v=Vt(Vu,_);u.label instanceof HTMLElement?
v.appendChild(u.label):v.textContent=u.label,d>0&&(Oe.show||(v.style.color=u.width>0?Oe.stroke(o,d):Oe.fill(o,d)),bt("click",_,S=>{if(U._lock)return;tr(S);let E=k.
indexOf(u);if((S.ctrlKey||S.metaKey)!=se.isolate){let A=k.some((O,I)=>I>0&&I!=E&&O.show);k.forEach((O,I)=>{I>0&&cn(I,A?I==E?vr:po:vr,!0,Be.setSeries)})}else cn(
E,{show:!u.show},!0,Be.setSeries)},!1),Tr&&bt(Qu,_,S=>{U._lock||(tr(S),cn(k.indexOf(u),Or,!0,Be.setSeries))},!1));for(var x in _n){let S=rn("td",df,g);S.textContent=
"--",f.push(S)}return[g,f]}let Zn=new Map;function bt(u,d,f,g=!0){let _=Zn.get(d)||{},v=U.bind[u](o,d,f,g);v&&(gr(u,d,_[u]=v),Zn.set(d,_))}function wr(u,d,f){let g=Zn.
get(d)||{};for(let _ in g)(u==null||_==u)&&(_l(_,d,g[_]),delete g[_]);u==null&&Zn.delete(d)}let vn=0,Jn=0,re=0,K=0,Ee=0,Je=0,kr=Ee,Qn=Je,an=re,Xn=K,$t=0,Ut=0,Et=0,
Jt=0;o.bbox={};let ei=!1,Yo=!1,xr=!1,er=!1,Zo=!1,Ht=!1;function ti(u,d,f){(f||u!=o.width||d!=o.height)&&ia(u,d),Mr(!1),xr=!0,Yo=!0,Rr()}function ia(u,d){o.width=
vn=re=u,o.height=Jn=K=d,Ee=Je=0,up(),cp();let f=o.bbox;$t=f.left=pr(Ee*ye,.5),Ut=f.top=pr(Je*ye,.5),Et=f.width=pr(re*ye,.5),Jt=f.height=pr(K*ye,.5)}let ip=3;function lp(){
let u=!1,d=0;for(;!u;){d++;let f=_p(d),g=vp(d);u=d==ip||f&&g,u||(ia(o.width,o.height),Yo=!0)}}function ap({width:u,height:d}){ti(u,d)}o.setSize=ap;function up(){
let u=!1,d=!1,f=!1,g=!1;$.forEach((_,v)=>{if(_.show&&_._show){let{side:x,_size:S}=_,E=x%2,A=_.label!=null?_.labelSize:0,O=S+A;O>0&&(E?(re-=O,x==3?(Ee+=O,g=!0):f=
!0):(K-=O,x==0?(Je+=O,u=!0):d=!0))}}),nr[0]=u,nr[1]=f,nr[2]=d,nr[3]=g,re-=Rn[1]+Rn[3],Ee+=Rn[3],K-=Rn[2]+Rn[0],Je+=Rn[0]}function cp(){let u=Ee+re,d=Je+K,f=Ee,g=Je;
function _(v,x){switch(v){case 1:return u+=x,u-x;case 2:return d+=x,d-x;case 3:return f-=x,f+x;case 0:return g-=x,g+x}}$.forEach((v,x)=>{if(v.show&&v._show){let S=v.
side;v._pos=_(S,v._size),v.label!=null&&(v._lpos=_(S,v.labelSize))}})}if(U.dataIdx==null){let u=U.hover,d=u.skip=new Set(u.skip??[]);d.add(void 0);let f=u.prox=
ue(u.prox),g=u.bias??=0;U.dataIdx=(_,v,x,S)=>{if(v==0)return x;let E=x,A=f(_,v,x,S)??Ce,O=A>=0&&A<Ce,I=R.ori==0?re:K,Q=U.left,be=t[0],me=t[v];if(d.has(me[x])){E=
null;let ie=null,Z=null,H;if(g==0||g==-1)for(H=x;ie==null&&H-- >0;)d.has(me[H])||(ie=H);if(g==0||g==1)for(H=x;Z==null&&H++<me.length;)d.has(me[H])||(Z=H);if(ie!=
null||Z!=null)if(O){let $e=ie==null?-1/0:L(be[ie],R,I,0),Ge=Z==null?1/0:L(be[Z],R,I,0),it=Q-$e,Te=Ge-Q;it<=Te?it<=A&&(E=ie):Te<=A&&(E=Z)}else E=Z==null?ie:ie==null?
Z:x-ie<=Z-x?ie:Z}else O&&Xe(Q-L(be[x],R,I,0))>A&&(E=null);return E}}let tr=u=>{U.event=u};U.idxs=xe,U._lock=!1;let gt=U.points;gt.show=ue(gt.show),gt.size=ue(gt.
size),gt.stroke=ue(gt.stroke),gt.width=ue(gt.width),gt.fill=ue(gt.fill);let un=o.focus=Ye({},e.focus||{alpha:.3},U.focus),Tr=un.prox>=0,Sr=Tr&&gt.one,Wt=[],Cr=[],
Pr=[];function la(u,d){let f=gt.show(o,d);if(f instanceof HTMLElement)return Nt(f,of),Nt(f,u.class),bn(f,-10,-10,re,K),w.insertBefore(f,Wt[d]),f}function aa(u,d){
if(s==1||d>0){let f=s==1&&T[u.scale].time,g=u.value;u.value=f?mc(g)?vc(ce,_c(g,W)):g||pe:g||_g,u.label=u.label||(f?dg:cg)}if(Sr||d>0){u.width=u.width==null?1:u.
width,u.paths=u.paths||$g||xf,u.fillTo=ue(u.fillTo||Tg),u.pxAlign=+he(u.pxAlign,M),u.pxRound=Mc(u.pxAlign),u.stroke=ue(u.stroke||null),u.fill=ue(u.fill||null),u.
_stroke=u._fill=u._paths=u._focus=null;let f=vg(Ct(1,u.width),1),g=u.points=Ye({},{size:f,width:Ct(1,f*.2),stroke:u.stroke,space:f*2,paths:Ag,_stroke:null,_fill:null},
u.points);g.show=ue(g.show),g.filter=ue(g.filter),g.fill=ue(g.fill),g.stroke=ue(g.stroke),g.paths=ue(g.paths),g.pxAlign=u.pxAlign}if(Ze){let f=Vo(u,d);Ke.splice(
d,0,f[0]),ln.splice(d,0,f[1]),se.values.push(null)}if(ht){xe.splice(d,0,null);let f=null;Sr?d==0&&(f=la(u,d)):d>0&&(f=la(u,d)),Wt.splice(d,0,f),Cr.splice(d,0,0),
Pr.splice(d,0,0)}st("addSeries",d)}function dp(u,d){d=d??k.length,u=s==1?Sl(u,d,kc,Pc):Sl(u,d,{},Cc),k.splice(d,0,u),aa(k[d],d)}o.addSeries=dp;function pp(u){if(k.
splice(u,1),Ze){se.values.splice(u,1),ln.splice(u,1);let d=Ke.splice(u,1)[0];wr(null,d.firstChild),d.remove()}ht&&(xe.splice(u,1),Wt.splice(u,1)[0].remove(),Cr.
splice(u,1),Pr.splice(u,1)),st("delSeries",u)}o.delSeries=pp;let nr=[!1,!1,!1,!1];function mp(u,d){if(u._show=u.show,u.show){let f=u.side%2,g=T[u.scale];g==null&&
(u.scale=f?k[1].scale:N,g=T[u.scale]);let _=g.time;u.size=ue(u.size),u.space=ue(u.space),u.rotate=ue(u.rotate),Bn(u.incrs)&&u.incrs.forEach(x=>{!jn.has(x)&&jn.set(
x,zc(x))}),u.incrs=ue(u.incrs||(g.distr==2?Wf:_?C==1?jf:Zf:mr)),u.splits=ue(u.splits||(_&&g.distr==1?Pt:g.distr==3?wl:g.distr==4?fg:mg)),u.stroke=ue(u.stroke),u.
grid.stroke=ue(u.grid.stroke),u.ticks.stroke=ue(u.ticks.stroke),u.border.stroke=ue(u.border.stroke);let v=u.values;u.values=Bn(v)&&!Bn(v[0])?ue(v):_?Bn(v)?yc(ce,
bc(v,W)):mc(v)?Xf(ce,v):v||Le:v||pg,u.filter=ue(u.filter||(g.distr>=3&&g.log==10?bg:g.distr==3&&g.log==2?yg:Ic)),u.font=$c(u.font),u.labelFont=$c(u.labelFont),u.
_size=u.size(o,null,d,0),u._space=u._rotate=u._incrs=u._found=u._splits=u._values=null,u._size>0&&(nr[d]=!0,u._el=Vt(ef,y))}}function mo(u,d,f,g){let[_,v,x,S]=f,
E=d%2,A=0;return E==0&&(S||v)&&(A=d==0&&!_||d==2&&!x?Qe(wc.size/3):0),E==1&&(_||x)&&(A=d==1&&!v||d==3&&!S?Qe(Tc.size/2):0),A}let ua=o.padding=(e.padding||[mo,mo,
mo,mo]).map(u=>ue(he(u,mo))),Rn=o._padding=ua.map((u,d)=>u(o,d,nr,0)),ct,tt=null,nt=null,Jo=s==1?k[0].idxs:null,Qt=null,fo=!1;function ca(u,d){if(t=u??[],o.data=
o._data=t,s==2){ct=0;for(let f=1;f<k.length;f++)ct+=t[f][0].length}else{t.length==0&&(o.data=o._data=t=[[]]),Qt=t[0],ct=Qt.length;let f=t;if(Y==2){f=t.slice();let g=f[0]=
Array(ct);for(let _=0;_<ct;_++)g[_]=_}o._data=t=f}if(Mr(!0),st("setData"),Y==2&&(xr=!0),d!==!1){let f=R;f.auto(o,fo)?ni():qn(N,f.min,f.max),er=er||U.left>=0,Ht=
!0,Rr()}}o.setData=ca;function ni(){fo=!0;let u,d;s==1&&(ct>0?(tt=Jo[0]=0,nt=Jo[1]=ct-1,u=t[0][tt],d=t[0][nt],Y==2?(u=tt,d=nt):u==d&&(Y==3?[u,d]=As(u,u,R.log,!1):
Y==4?[u,d]=Ml(u,u,R.log,!1):R.time?d=u+Qe(86400/C):[u,d]=Ds(u,d,Rl,!0))):(tt=Jo[0]=u=null,nt=Jo[1]=d=null)),qn(N,u,d)}let Qo,Er,ri,oi,si,ii,li,ai,ui,Mt;function da(u,d,f,g,_,v){
u??=Zu,f??=ql,g??="butt",_??=Zu,v??="round",u!=Qo&&(m.strokeStyle=Qo=u),_!=Er&&(m.fillStyle=Er=_),d!=ri&&(m.lineWidth=ri=d),v!=si&&(m.lineJoin=si=v),g!=ii&&(m.lineCap=
ii=g),f!=oi&&m.setLineDash(oi=f)}function pa(u,d,f,g){d!=Er&&(m.fillStyle=Er=d),u!=li&&(m.font=li=u),f!=ai&&(m.textAlign=ai=f),g!=ui&&(m.textBaseline=ui=g)}function ci(u,d,f,g,_=0){
if(g.length>0&&u.auto(o,fo)&&(d==null||d.min==null)){let v=he(tt,0),x=he(nt,g.length-1),S=f.min==null?bf(g,v,x,_,u.distr==3):[f.min,f.max];u.min=sn(u.min,f.min=
S[0]),u.max=Ct(u.max,f.max=S[1])}}let ma={min:null,max:null};function fp(){for(let g in T){let _=T[g];B[g]==null&&(_.min==null||B[N]!=null&&_.auto(o,fo))&&(B[g]=
ma)}for(let g in T){let _=T[g];B[g]==null&&_.from!=null&&B[_.from]!=null&&(B[g]=ma)}B[N]!=null&&Mr(!0);let u={};for(let g in B){let _=B[g];if(_!=null){let v=u[g]=
ro(T[g],Cf);if(_.min!=null)Ye(v,_);else if(g!=N||s==2)if(ct==0&&v.from==null){let x=v.range(o,null,null,g);v.min=x[0],v.max=x[1]}else v.min=Ce,v.max=-Ce}}if(ct>
0){k.forEach((g,_)=>{if(s==1){let v=g.scale,x=B[v];if(x==null)return;let S=u[v];if(_==0){let E=S.range(o,S.min,S.max,v);S.min=E[0],S.max=E[1],tt=on(S.min,t[0]),
nt=on(S.max,t[0]),nt-tt>1&&(t[0][tt]<S.min&&tt++,t[0][nt]>S.max&&nt--),g.min=Qt[tt],g.max=Qt[nt]}else g.show&&g.auto&&ci(S,x,g,t[_],g.sorted);g.idxs[0]=tt,g.idxs[1]=
nt}else if(_>0&&g.show&&g.auto){let[v,x]=g.facets,S=v.scale,E=x.scale,[A,O]=t[_],I=u[S],Q=u[E];I!=null&&ci(I,B[S],v,A,v.sorted),Q!=null&&ci(Q,B[E],x,O,x.sorted),
g.min=x.min,g.max=x.max}});for(let g in u){let _=u[g],v=B[g];if(_.from==null&&(v==null||v.min==null)){let x=_.range(o,_.min==Ce?null:_.min,_.max==-Ce?null:_.max,
g);_.min=x[0],_.max=x[1]}}}for(let g in u){let _=u[g];if(_.from!=null){let v=u[_.from];if(v.min==null)_.min=_.max=null;else{let x=_.range(o,v.min,v.max,g);_.min=
x[0],_.max=x[1]}}}let d={},f=!1;for(let g in u){let _=u[g],v=T[g];if(v.min!=_.min||v.max!=_.max){v.min=_.min,v.max=_.max;let x=v.distr;v._min=x==3?Pn(v.min):x==
4?pl(v.min,v.asinh):x==100?v.fwd(v.min):v.min,v._max=x==3?Pn(v.max):x==4?pl(v.max,v.asinh):x==100?v.fwd(v.max):v.max,d[g]=f=!0}}if(f){k.forEach((g,_)=>{s==2?_>0&&
d.y&&(g._paths=null):d[g.scale]&&(g._paths=null)});for(let g in d)xr=!0,st("setScale",g);ht&&U.left>=0&&(er=Ht=!0)}for(let g in B)B[g]=null}function gp(u){let d=vl(
tt-1,0,ct-1),f=vl(nt+1,0,ct-1);for(;u[d]==null&&d>0;)d--;for(;u[f]==null&&f<ct-1;)f++;return[d,f]}function hp(){if(ct>0){let u=k.some(d=>d._focus)&&Mt!=un.alpha;
u&&(m.globalAlpha=Mt=un.alpha),k.forEach((d,f)=>{if(f>0&&d.show&&(fa(f,!1),fa(f,!0),d._paths==null)){let g=Mt;Mt!=d.alpha&&(m.globalAlpha=Mt=d.alpha);let _=s==2?
[0,t[f][0].length-1]:gp(t[f]);d._paths=d.paths(o,f,_[0],_[1]),Mt!=g&&(m.globalAlpha=Mt=g)}}),k.forEach((d,f)=>{if(f>0&&d.show){let g=Mt;Mt!=d.alpha&&(m.globalAlpha=
Mt=d.alpha),d._paths!=null&&ga(f,!1);{let _=d._paths!=null?d._paths.gaps:null,v=d.points.show(o,f,tt,nt,_),x=d.points.filter(o,f,v,_);(v||x)&&(d.points._paths=d.
points.paths(o,f,tt,nt,x),ga(f,!0))}Mt!=g&&(m.globalAlpha=Mt=g),st("drawSeries",f)}}),u&&(m.globalAlpha=Mt=1)}}function fa(u,d){let f=d?k[u].points:k[u];f._stroke=
f.stroke(o,u),f._fill=f.fill(o,u)}function ga(u,d){let f=d?k[u].points:k[u],{stroke:g,fill:_,clip:v,flags:x,_stroke:S=f._stroke,_fill:E=f._fill,_width:A=f.width}=f.
_paths;A=Pe(A*ye,3);let O=null,I=A%2/2;d&&E==null&&(E=A>0?"#fff":S);let Q=f.pxAlign==1&&I>0;if(Q&&m.translate(I,I),!d){let be=$t-A/2,me=Ut-A/2,ie=Et+A,Z=Jt+A;O=
new Path2D,O.rect(be,me,ie,Z)}d?di(S,A,f.dash,f.cap,E,g,_,x,v):bp(u,S,A,f.dash,f.cap,E,g,_,x,O,v),Q&&m.translate(-I,-I)}function bp(u,d,f,g,_,v,x,S,E,A,O){let I=!1;
E!=0&&X.forEach((Q,be)=>{if(Q.series[0]==u){let me=k[Q.series[1]],ie=t[Q.series[1]],Z=(me._paths||Ho).band;Bn(Z)&&(Z=Q.dir==1?Z[0]:Z[1]);let H,$e=null;me.show&&
Z&&_f(ie,tt,nt)?($e=Q.fill(o,be)||v,H=me._paths.clip):Z=null,di(d,f,g,_,$e,x,S,E,A,O,H,Z),I=!0}}),I||di(d,f,g,_,v,x,S,E,A,O)}let ha=oo|xl;function di(u,d,f,g,_,v,x,S,E,A,O,I){
da(u,d,f,g,_),(E||A||I)&&(m.save(),E&&m.clip(E),A&&m.clip(A)),I?(S&ha)==ha?(m.clip(I),O&&m.clip(O),es(_,x),Xo(u,v,d)):S&xl?(es(_,x),m.clip(I),Xo(u,v,d)):S&oo&&(m.
save(),m.clip(I),O&&m.clip(O),es(_,x),m.restore(),Xo(u,v,d)):(es(_,x),Xo(u,v,d)),(E||A||I)&&m.restore()}function Xo(u,d,f){f>0&&(d instanceof Map?d.forEach((g,_)=>{
m.strokeStyle=Qo=_,m.stroke(g)}):d!=null&&u&&m.stroke(d))}function es(u,d){d instanceof Map?d.forEach((f,g)=>{m.fillStyle=Er=g,m.fill(f)}):d!=null&&u&&m.fill(d)}
function yp(u,d,f,g){let _=$[u],v;if(g<=0)v=[0,0];else{let x=_._space=_.space(o,u,d,f,g),S=_._incrs=_.incrs(o,u,d,f,g,x);v=Ig(d,f,S,g,x)}return _._found=v}function pi(u,d,f,g,_,v,x,S,E,A){
let O=x%2/2;M==1&&m.translate(O,O),da(S,x,E,A,S),m.beginPath();let I,Q,be,me,ie=_+(g==0||g==3?-v:v);f==0?(Q=_,me=ie):(I=_,be=ie);for(let Z=0;Z<u.length;Z++)d[Z]!=
null&&(f==0?I=be=u[Z]:Q=me=u[Z],m.moveTo(I,Q),m.lineTo(be,me));m.stroke(),M==1&&m.translate(-O,-O)}function _p(u){let d=!0;return $.forEach((f,g)=>{if(!f.show)return;
let _=T[f.scale];if(_.min==null){f._show&&(d=!1,f._show=!1,Mr(!1));return}else f._show||(d=!1,f._show=!0,Mr(!1));let v=f.side,x=v%2,{min:S,max:E}=_,[A,O]=yp(g,S,
E,x==0?re:K);if(O==0)return;let I=_.distr==2,Q=f._splits=f.splits(o,g,S,E,A,O,I),be=_.distr==2?Q.map(H=>Qt[H]):Q,me=_.distr==2?Qt[Q[1]]-Qt[Q[0]]:A,ie=f._values=
f.values(o,f.filter(o,be,g,O,me),g,O,me);f._rotate=v==2?f.rotate(o,ie,g,O):0;let Z=f._size;f._size=Yt(f.size(o,ie,g,u)),Z!=null&&f._size!=Z&&(d=!1)}),d}function vp(u){
let d=!0;return ua.forEach((f,g)=>{let _=f(o,g,nr,u);_!=Rn[g]&&(d=!1),Rn[g]=_}),d}function wp(){for(let u=0;u<$.length;u++){let d=$[u];if(!d.show||!d._show)continue;
let f=d.side,g=f%2,_,v,x=d.stroke(o,u),S=f==0||f==3?-1:1,[E,A]=d._found;if(d.label!=null){let _t=d.labelGap*S,Ot=Qe((d._lpos+_t)*ye);pa(d.labelFont[0],x,"center",
f==2?"top":Yu),m.save(),g==1?(_=v=0,m.translate(Ot,Qe(Ut+Jt/2)),m.rotate((f==3?-Ms:Ms)/2)):(_=Qe($t+Et/2),v=Ot);let sr=Kc(d.label)?d.label(o,u,E,A):d.label;m.fillText(
sr,_,v),m.restore()}if(A==0)continue;let O=T[d.scale],I=g==0?Et:Jt,Q=g==0?$t:Ut,be=d._splits,me=O.distr==2?be.map(_t=>Qt[_t]):be,ie=O.distr==2?Qt[be[1]]-Qt[be[0]]:
E,Z=d.ticks,H=d.border,$e=Z.show?Z.size:0,Ge=Qe($e*ye),it=Qe((d.alignTo==2?d._size-$e-d.gap:d.gap)*ye),Te=d._rotate*-Ms/180,ze=P(d._pos*ye),At=(Ge+it)*S,yt=ze+At;
v=g==0?yt:0,_=g==1?yt:0;let Bt=d.font[0],Xt=d.align==1?Qr:d.align==2?ul:Te>0?Qr:Te<0?ul:g==0?"center":f==3?ul:Qr,pn=Te||g==1?"middle":f==2?"top":Yu;pa(Bt,x,Xt,pn);
let Lt=d.font[1]*d.lineGap,jt=be.map(_t=>P(a(_t,O,I,Q))),en=d._values;for(let _t=0;_t<en.length;_t++){let Ot=en[_t];if(Ot!=null){g==0?_=jt[_t]:v=jt[_t],Ot=""+Ot;
let sr=Ot.indexOf(`
`)==-1?[Ot]:Ot.split(/\n/gm);for(let vt=0;vt<sr.length;vt++){let La=sr[vt];Te?(m.save(),m.translate(_,v+vt*Lt),m.rotate(Te),m.fillText(La,0,0),m.restore()):m.fillText(
La,_,v+vt*Lt)}}}Z.show&&pi(jt,Z.filter(o,me,u,A,ie),g,f,ze,Ge,Pe(Z.width*ye,3),Z.stroke(o,u),Z.dash,Z.cap);let mn=d.grid;mn.show&&pi(jt,mn.filter(o,me,u,A,ie),g,
g==0?2:1,g==0?Ut:$t,g==0?Jt:Et,Pe(mn.width*ye,3),mn.stroke(o,u),mn.dash,mn.cap),H.show&&pi([ze],[1],g==0?1:0,g==0?1:2,g==1?Ut:$t,g==1?Jt:Et,Pe(H.width*ye,3),H.stroke(
o,u),H.dash,H.cap)}st("drawAxes")}function Mr(u){k.forEach((d,f)=>{f>0&&(d._paths=null,u&&(s==1?(d.min=null,d.max=null):d.facets.forEach(g=>{g.min=null,g.max=null})))})}
let ts=!1,mi=!1,go=[];function kp(){mi=!1;for(let u=0;u<go.length;u++)st(...go[u]);go.length=0}function Rr(){ts||($f(ba),ts=!0)}function xp(u,d=!1){ts=!0,mi=d,u(
o),ba(),d&&go.length>0&&queueMicrotask(kp)}o.batch=xp;function ba(){if(ei&&(fp(),ei=!1),xr&&(lp(),xr=!1),Yo){if(Ae(b,Qr,Ee),Ae(b,"top",Je),Ae(b,Io,re),Ae(b,Go,K),
Ae(w,Qr,Ee),Ae(w,"top",Je),Ae(w,Io,re),Ae(w,Go,K),Ae(y,Io,vn),Ae(y,Go,Jn),h.width=Qe(vn*ye),h.height=Qe(Jn*ye),$.forEach(({_el:u,_show:d,_size:f,_pos:g,side:_})=>{
if(u!=null)if(d){let v=_===3||_===0?f:0,x=_%2==1;Ae(u,x?"left":"top",g-v),Ae(u,x?"width":"height",f),Ae(u,x?"top":"left",x?Je:Ee),Ae(u,x?"height":"width",x?K:re),
yl(u,fr)}else Nt(u,fr)}),Qo=Er=ri=si=ii=li=ai=ui=oi=null,Mt=1,yo(!0),Ee!=kr||Je!=Qn||re!=an||K!=Xn){Mr(!1);let u=re/an,d=K/Xn;if(ht&&!er&&U.left>=0){U.left*=u,U.
top*=d,Dr&&bn(Dr,Qe(U.left),0,re,K),qr&&bn(qr,0,Qe(U.top),re,K);for(let f=0;f<Wt.length;f++){let g=Wt[f];g!=null&&(Cr[f]*=u,Pr[f]*=d,bn(g,Yt(Cr[f]),Yt(Pr[f]),re,
K))}}if(qe.show&&!Zo&&qe.left>=0&&qe.width>0){qe.left*=u,qe.width*=u,qe.top*=d,qe.height*=d;for(let f in _i)Ae(Lr,f,qe[f])}kr=Ee,Qn=Je,an=re,Xn=K}st("setSize"),
Yo=!1}vn>0&&Jn>0&&(m.clearRect(0,0,h.width,h.height),st("drawClear"),V.forEach(u=>u()),st("draw")),qe.show&&Zo&&(ns(qe),Zo=!1),ht&&er&&(or(null,!0,!1),er=!1),se.
show&&se.live&&Ht&&(bi(),Ht=!1),c||(c=!0,o.status=1,st("ready")),fo=!1,ts=!1}o.redraw=(u,d)=>{xr=d||!1,u!==!1?qn(N,R.min,R.max):Rr()};function fi(u,d){let f=T[u];
if(f.from==null){if(ct==0){let g=f.range(o,d.min,d.max,u);d.min=g[0],d.max=g[1]}if(d.min>d.max){let g=d.min;d.min=d.max,d.max=g}if(ct>1&&d.min!=null&&d.max!=null&&
d.max-d.min<1e-16)return;u==N&&f.distr==2&&ct>0&&(d.min=on(d.min,t[0]),d.max=on(d.max,t[0]),d.min==d.max&&d.max++),B[u]=d,ei=!0,Rr()}}o.setScale=fi;let gi,hi,Dr,
qr,ya,_a,$r,Ar,va,wa,De,Fe,Dn=!1,dt=U.drag,rt=dt.x,ot=dt.y;ht&&(U.x&&(gi=Vt(nf,w)),U.y&&(hi=Vt(rf,w)),R.ori==0?(Dr=gi,qr=hi):(Dr=hi,qr=gi),De=U.left,Fe=U.top);let qe=o.
select=Ye({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),Lr=qe.show?Vt(tf,qe.over?w:b):null;function ns(u,d){if(qe.show){for(let f in u)qe[f]=u[f],f in
_i&&Ae(Lr,f,u[f]);d!==!1&&st("setSelect")}}o.setSelect=ns;function Tp(u){if(k[u].show)Ze&&yl(Ke[u],fr);else if(Ze&&Nt(Ke[u],fr),ht){let f=Sr?Wt[0]:Wt[u];f!=null&&
bn(f,-10,-10,re,K)}}function qn(u,d,f){fi(u,{min:d,max:f})}function cn(u,d,f,g){d.focus!=null&&Mp(u),d.show!=null&&k.forEach((_,v)=>{v>0&&(u==v||u==null)&&(_.show=
d.show,Tp(v),s==2?(qn(_.facets[0].scale,null,null),qn(_.facets[1].scale,null,null)):qn(_.scale,null,null),Rr())}),f!==!1&&st("setSeries",u,d),g&&_o("setSeries",
o,u,d)}o.setSeries=cn;function Sp(u,d){Ye(X[u],d)}function Cp(u,d){u.fill=ue(u.fill||null),u.dir=he(u.dir,-1),d=d??X.length,X.splice(d,0,u)}function Pp(u){u==null?
X.length=0:X.splice(u,1)}o.addBand=Cp,o.setBand=Sp,o.delBand=Pp;function Ep(u,d){k[u].alpha=d,ht&&Wt[u]!=null&&(Wt[u].style.opacity=d),Ze&&Ke[u]&&(Ke[u].style.opacity=
d)}let wn,$n,rr,Or={focus:!0};function Mp(u){if(u!=rr){let d=u==null,f=un.alpha!=1;k.forEach((g,_)=>{if(s==1||_>0){let v=d||_==0||_==u;g._focus=d?null:v,f&&Ep(_,
v?1:un.alpha)}}),rr=u,f&&Rr()}}Ze&&Tr&&bt(Xu,_e,u=>{U._lock||(tr(u),rr!=null&&cn(null,Or,!0,Be.setSeries))});function dn(u,d,f){let g=T[d];f&&(u=u/ye-(g.ori==1?
Je:Ee));let _=re;g.ori==1&&(_=K,u=_-u),g.dir==-1&&(u=_-u);let v=g._min,x=g._max,S=u/_,E=v+(x-v)*S,A=g.distr;return A==3?to(10,E):A==4?wf(E,g.asinh):A==100?g.bwd(
E):E}function Rp(u,d){let f=dn(u,N,d);return on(f,t[0],tt,nt)}o.valToIdx=u=>on(u,t[0]),o.posToIdx=Rp,o.posToVal=dn,o.valToPos=(u,d,f)=>T[d].ori==0?i(u,T[d],f?Et:
re,f?$t:0):l(u,T[d],f?Jt:K,f?Ut:0),o.setCursor=(u,d,f)=>{De=u.left,Fe=u.top,or(null,d,f)};function ka(u,d){Ae(Lr,Qr,qe.left=u),Ae(Lr,Io,qe.width=d)}function xa(u,d){
Ae(Lr,"top",qe.top=u),Ae(Lr,Go,qe.height=d)}let ho=R.ori==0?ka:xa,bo=R.ori==1?ka:xa;function Dp(){if(Ze&&se.live)for(let u=s==2?1:0;u<k.length;u++){if(u==0&&zt)
continue;let d=se.values[u],f=0;for(let g in d)ln[u][f++].firstChild.nodeValue=d[g]}}function bi(u,d){if(u!=null&&(u.idxs?u.idxs.forEach((f,g)=>{xe[g]=f}):Sf(u.
idx)||xe.fill(u.idx),se.idx=xe[0]),Ze&&se.live){for(let f=0;f<k.length;f++)(f>0||s==1&&!zt)&&qp(f,xe[f]);Dp()}Ht=!1,d!==!1&&st("setLegend")}o.setLegend=bi;function qp(u,d){
let f=k[u],g=u==0&&Y==2?Qt:t[u],_;zt?_=f.values(o,u,d)??Mn:(_=f.value(o,d==null?null:g[d],u,d),_=_==null?Mn:{_}),se.values[u]=_}function or(u,d,f){va=De,wa=Fe,[
De,Fe]=U.move(o,De,Fe),U.left=De,U.top=Fe,ht&&(Dr&&bn(Dr,Qe(De),0,re,K),qr&&bn(qr,0,Qe(Fe),re,K));let g,_=tt>nt;wn=Ce,$n=null;let v=R.ori==0?re:K,x=R.ori==1?re:
K;if(De<0||ct==0||_){g=U.idx=null;for(let S=0;S<k.length;S++){let E=Wt[S];E!=null&&bn(E,-10,-10,re,K)}Tr&&cn(null,Or,!0,u==null&&Be.setSeries),se.live&&(xe.fill(
g),Ht=!0)}else{let S,E,A;s==1&&(S=R.ori==0?De:Fe,E=dn(S,N),g=U.idx=on(E,t[0],tt,nt),A=L(t[0][g],R,v,0));let O=-10,I=-10,Q=0,be=0,me=!0,ie="",Z="";for(let H=s==2?
1:0;H<k.length;H++){let $e=k[H],Ge=xe[H],it=Ge==null?null:s==1?t[H][Ge]:t[H][1][Ge],Te=U.dataIdx(o,H,g,E),ze=Te==null?null:s==1?t[H][Te]:t[H][1][Te];if(Ht=Ht||ze!=
it||Te!=Ge,xe[H]=Te,H>0&&$e.show){let At=Te==null?-10:Te==g?A:L(s==1?t[0][Te]:t[H][0][Te],R,v,0),yt=ze==null?-10:J(ze,s==1?T[$e.scale]:T[$e.facets[1].scale],x,0);
if(Tr&&ze!=null){let Bt=R.ori==1?De:Fe,Xt=Xe(un.dist(o,H,Te,yt,Bt));if(Xt<wn){let pn=un.bias;if(pn!=0){let Lt=dn(Bt,$e.scale),jt=ze>=0?1:-1,en=Lt>=0?1:-1;en==jt&&
(en==1?pn==1?ze>=Lt:ze<=Lt:pn==1?ze<=Lt:ze>=Lt)&&(wn=Xt,$n=H)}else wn=Xt,$n=H}}if(Ht||Sr){let Bt,Xt;R.ori==0?(Bt=At,Xt=yt):(Bt=yt,Xt=At);let pn,Lt,jt,en,mn,_t,Ot=!0,
sr=gt.bbox;if(sr!=null){Ot=!1;let vt=sr(o,H);jt=vt.left,en=vt.top,pn=vt.width,Lt=vt.height}else jt=Bt,en=Xt,pn=Lt=gt.size(o,H);if(_t=gt.fill(o,H),mn=gt.stroke(o,
H),Sr)H==$n&&wn<=un.prox&&(O=jt,I=en,Q=pn,be=Lt,me=Ot,ie=_t,Z=mn);else{let vt=Wt[H];vt!=null&&(Cr[H]=jt,Pr[H]=en,ic(vt,pn,Lt,Ot),oc(vt,_t,mn),bn(vt,Yt(jt),Yt(en),
re,K))}}}}if(Sr){let H=un.prox,$e=rr==null?wn<=H:wn>H||$n!=rr;if(Ht||$e){let Ge=Wt[0];Ge!=null&&(Cr[0]=O,Pr[0]=I,ic(Ge,Q,be,me),oc(Ge,ie,Z),bn(Ge,Yt(O),Yt(I),re,
K))}}}if(qe.show&&Dn)if(u!=null){let[S,E]=Be.scales,[A,O]=Be.match,[I,Q]=u.cursor.sync.scales,be=u.cursor.drag;if(rt=be._x,ot=be._y,rt||ot){let{left:me,top:ie,width:Z,
height:H}=u.select,$e=u.scales[I].ori,Ge=u.posToVal,it,Te,ze,At,yt,Bt=S!=null&&A(S,I),Xt=E!=null&&O(E,Q);Bt&&rt?($e==0?(it=me,Te=Z):(it=ie,Te=H),ze=T[S],At=L(Ge(
it,I),ze,v,0),yt=L(Ge(it+Te,I),ze,v,0),ho(sn(At,yt),Xe(yt-At))):ho(0,v),Xt&&ot?($e==1?(it=me,Te=Z):(it=ie,Te=H),ze=T[E],At=J(Ge(it,Q),ze,x,0),yt=J(Ge(it+Te,Q),ze,
x,0),bo(sn(At,yt),Xe(yt-At))):bo(0,x)}else vi()}else{let S=Xe(va-ya),E=Xe(wa-_a);if(R.ori==1){let Q=S;S=E,E=Q}rt=dt.x&&S>=dt.dist,ot=dt.y&&E>=dt.dist;let A=dt.uni;
A!=null?rt&&ot&&(rt=S>=A,ot=E>=A,!rt&&!ot&&(E>S?ot=!0:rt=!0)):dt.x&&dt.y&&(rt||ot)&&(rt=ot=!0);let O,I;rt&&(R.ori==0?(O=$r,I=De):(O=Ar,I=Fe),ho(sn(O,I),Xe(I-O)),
ot||bo(0,x)),ot&&(R.ori==1?(O=$r,I=De):(O=Ar,I=Fe),bo(sn(O,I),Xe(I-O)),rt||ho(0,v)),!rt&&!ot&&(ho(0,0),bo(0,0))}if(dt._x=rt,dt._y=ot,u==null){if(f){if(Aa!=null){
let[S,E]=Be.scales;Be.values[0]=S!=null?dn(R.ori==0?De:Fe,S):null,Be.values[1]=E!=null?dn(R.ori==1?De:Fe,E):null}_o(cl,o,De,Fe,re,K,g)}if(Tr){let S=f&&Be.setSeries,
E=un.prox;rr==null?wn<=E&&cn($n,Or,!0,S):wn>E?cn(null,Or,!0,S):$n!=rr&&cn($n,Or,!0,S)}}Ht&&(se.idx=g,bi()),d!==!1&&st("setCursor")}let An=null;Object.defineProperty(
o,"rect",{get(){return An==null&&yo(!1),An}});function yo(u=!1){u?An=null:(An=w.getBoundingClientRect(),st("syncRect",An))}function Ta(u,d,f,g,_,v,x){U._lock||Dn&&
u!=null&&u.movementX==0&&u.movementY==0||(yi(u,d,f,g,_,v,x,!1,u!=null),u!=null?or(null,!0,!0):or(d,!0,!1))}function yi(u,d,f,g,_,v,x,S,E){if(An==null&&yo(!1),tr(
u),u!=null)f=u.clientX-An.left,g=u.clientY-An.top;else{if(f<0||g<0){De=-10,Fe=-10;return}let[A,O]=Be.scales,I=d.cursor.sync,[Q,be]=I.values,[me,ie]=I.scales,[Z,
H]=Be.match,$e=d.axes[0].side%2==1,Ge=R.ori==0?re:K,it=R.ori==1?re:K,Te=$e?v:_,ze=$e?_:v,At=$e?g:f,yt=$e?f:g;if(me!=null?f=Z(A,me)?a(Q,T[A],Ge,0):-10:f=Ge*(At/Te),
ie!=null?g=H(O,ie)?a(be,T[O],it,0):-10:g=it*(yt/ze),R.ori==1){let Bt=f;f=g,g=Bt}}E&&(d==null||d.cursor.event.type==cl)&&((f<=1||f>=re-1)&&(f=pr(f,re)),(g<=1||g>=
K-1)&&(g=pr(g,K))),S?(ya=f,_a=g,[$r,Ar]=U.move(o,f,g)):(De=f,Fe=g)}let _i={width:0,height:0,left:0,top:0};function vi(){ns(_i,!1)}let Sa,Ca,Pa,Ea;function Ma(u,d,f,g,_,v,x){
Dn=!0,rt=ot=dt._x=dt._y=!1,yi(u,d,f,g,_,v,x,!0,!1),u!=null&&(bt(dl,hl,Ra,!1),_o(Ju,o,$r,Ar,re,K,null));let{left:S,top:E,width:A,height:O}=qe;Sa=S,Ca=E,Pa=A,Ea=O}
function Ra(u,d,f,g,_,v,x){Dn=dt._x=dt._y=!1,yi(u,d,f,g,_,v,x,!1,!0);let{left:S,top:E,width:A,height:O}=qe,I=A>0||O>0,Q=Sa!=S||Ca!=E||Pa!=A||Ea!=O;if(I&&Q&&ns(qe),
dt.setScale&&I&&Q){let be=S,me=A,ie=E,Z=O;if(R.ori==1&&(be=E,me=O,ie=S,Z=A),rt&&qn(N,dn(be,N),dn(be+me,N)),ot)for(let H in T){let $e=T[H];H!=N&&$e.from==null&&$e.
min!=Ce&&qn(H,dn(ie+Z,H),dn(ie,H))}vi()}else U.lock&&(U._lock=!U._lock,or(d,!0,u!=null));u!=null&&(wr(dl,hl),_o(dl,o,De,Fe,re,K,null))}function $p(u,d,f,g,_,v,x){
if(U._lock)return;tr(u);let S=Dn;if(Dn){let E=!0,A=!0,O=10,I,Q;R.ori==0?(I=rt,Q=ot):(I=ot,Q=rt),I&&Q&&(E=De<=O||De>=re-O,A=Fe<=O||Fe>=K-O),I&&E&&(De=De<$r?0:re),
Q&&A&&(Fe=Fe<Ar?0:K),or(null,!0,!0),Dn=!1}De=-10,Fe=-10,xe.fill(null),or(null,!0,!0),S&&(Dn=S)}function Da(u,d,f,g,_,v,x){U._lock||(tr(u),ni(),vi(),u!=null&&_o(
ec,o,De,Fe,re,K,null))}function qa(){$.forEach(Gg),ti(o.width,o.height,!0)}gr(Rs,eo,qa);let Fr={};Fr.mousedown=Ma,Fr.mousemove=Ta,Fr.mouseup=Ra,Fr.dblclick=Da,Fr.
setSeries=(u,d,f,g)=>{let _=Be.match[2];f=_(o,d,f),f!=-1&&cn(f,g,!0,!1)},ht&&(bt(Ju,w,Ma),bt(cl,w,Ta),bt(Qu,w,u=>{tr(u),yo(!1)}),bt(Xu,w,$p),bt(ec,w,Da),Tl.add(
o),o.syncRect=yo);let rs=o.hooks=e.hooks||{};function st(u,d,f){mi?go.push([u,d,f]):u in rs&&rs[u].forEach(g=>{g.call(null,o,d,f)})}(e.plugins||[]).forEach(u=>{
for(let d in u.hooks)rs[d]=(rs[d]||[]).concat(u.hooks[d])});let $a=(u,d,f)=>f,Be=Ye({key:null,setSeries:!1,filters:{pub:dc,sub:dc},scales:[N,k[1]?k[1].scale:null],
match:[pc,pc,$a],values:[null,null]},U.sync);Be.match.length==2&&Be.match.push($a),U.sync=Be;let Aa=Be.key,wi=ad(Aa);function _o(u,d,f,g,_,v,x){Be.filters.pub(u,
d,f,g,_,v,x)&&wi.pub(u,d,f,g,_,v,x)}wi.sub(o);function Ap(u,d,f,g,_,v,x){Be.filters.sub(u,d,f,g,_,v,x)&&Fr[u](null,d,f,g,_,v,x)}o.pub=Ap;function Lp(){wi.unsub(
o),Tl.delete(o),Zn.clear(),_l(Rs,eo,qa),p.remove(),_e?.remove(),st("destroy")}o.destroy=Lp;function ki(){st("init",e,t),ca(t||e.data,!1),B[N]?fi(N,B[N]):ni(),Zo=
qe.show&&(qe.width>0||qe.height>0),er=Ht=!0,ti(e.width,e.height)}return k.forEach(aa),$.forEach(mp),n?n instanceof HTMLElement?(n.appendChild(p),ki()):n(o,ki):ki(),
o}et.assign=Ye;et.fmtNum=Dl;et.rangeNum=Ds;et.rangeLog=As;et.rangeAsinh=Ml;et.orient=br;et.pxRatio=ye;et.join=qf;et.fmtDate=$l,et.tzDate=Uf;et.sync=ad;{et.addGap=
Sg,et.clipGaps=Fs;let e=et.paths={points:fd};e.linear=hd,e.stepped=Eg,e.bars=Mg,e.spline=Dg}var zg=200,wd="12px system-ui, sans-serif";function kd(e,t){return new et(Hg(t),Ug(t),e)}function Ug(e){let t=e.xs.map(s=>s.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(s=>s.values)];let n=t.map(()=>0),o=e.series.map(s=>s.values.map((i,l)=>n[l]=(n[l]??0)+(i??0)));return[t,...o.map((s,i)=>s.map((l,a)=>e.series[i]?.
values[a]?l:null)).toReversed()]}function Hg(e){let t=e.kind==="bars"?e.slots.toReversed():e.slots;return{width:Math.max(e.width,100),height:zg,padding:[8,20,0,
0],legend:{show:!1},cursor:{y:!1,points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:n=>et.tzDate(new Date(n*1e3),e.zone),scales:{x:{time:!0,
range:(n,o,s)=>Wg(e,o,s)},y:{range:(n,o,s)=>[0,s>0?s*1.06:1]}},axes:Bg(e),series:[{},...t.map(n=>e.kind==="bars"?Zg(e,n):Yg(Zr(`var(--series-${n})`)))],hooks:{setSelect:[
n=>Jg(n,e)],setCursor:[n=>Qg(n,e)]}}}function Wg(e,t,n){return e.kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+Il(e),t+1)]}function Il(e){let[t,n]=e.xs;return t&&
n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain==="day"?86400:30*86400}function Bg(e){let[t,n]=[Zr("var(--muted)"),Zr("var(--hairline)")],o={stroke:t,
font:wd,ticks:{show:!1}},s=e.axis??e.format;return[{...o,size:24,gap:6,grid:{show:!1},space:64,values:(i,l)=>Vg(l,e)},{...o,gap:8,size:(i,l)=>jg(i,l),grid:{stroke:n,
width:1},space:40,values:(i,l)=>l.map(a=>a===0?"0":s(a))}]}function jg(e,t){e.ctx.save(),e.ctx.font=wd;let n=Math.max(0,...(t??[]).map(o=>e.ctx.measureText(o).width));
return e.ctx.restore(),Math.ceil(n)+16}function Vg(e,t){let n=(e[1]??0)-(e[0]??0),o=(i,l)=>new Date(l*1e3).toLocaleString("en-GB",{timeZone:t.zone,hourCycle:"h2\
3",...i}),s=i=>o({day:"numeric",month:"short"},i);return n>=28*86400?e.map(i=>o({month:"short",year:"numeric"},i)):n>=86400?e.map(s):e.map(i=>{let l=o({hour:"2-\
digit",minute:"2-digit"},i);return l==="00:00"?s(i):l})}function Yg(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function Gl({xs:e,until:t,grain:n},o){
let s=e[o];return s!==void 0&&s.getTime()+Il({xs:e,grain:n})*1e3>t.getTime()}function Zg(e,t){let[n,o]=[Zr(`var(--series-${t})`),Zr(`color-mix(in srgb, var(--se\
ries-${t}) 35%, var(--panel))`)],s=e.xs.map((i,l)=>Gl(e,l)?o:n);return{fill:n,width:0,points:{show:!1},paths:et.paths.bars?.({align:1,size:[.8,48],disp:{fill:{unit:3,
values:()=>s}}})}}function Jg(e,t){if(e.select.width<8)return;let n=o=>new Date(e.posToVal(o,"x")*1e3);t.onZoom(vd(n(e.select.left),t),vd(n(e.select.left+e.select.
width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function vd(e,t,n=!1){let o=t.xs.findLastIndex(i=>i<=e);o<0&&(o=0);let s=t.xs[o]??e;return n?t.xs[o+
1]??new Date(s.getTime()+Il(t)*1e3):s}function Qg(e,t){let{left:n}=e.cursor;if(n===void 0||n<0)return t.onPoint(null);let o=t.kind==="bars"?t.xs.findLastIndex(s=>s.
getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(o<0?null:{index:o,left:n+e.bbox.left/devicePixelRatio+8})}function yr(e){let[t,n]=q(!1),{zone:o}=F();return r("section",{class:"panel","aria-label":e.title,children:[r("header",{children:[r("h2",{children:e.title}),r("\
span",{class:"muted small",children:o}),r("div",{class:"rest",children:[e.tools,r("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":"\
Table"})]})]}),e.note,t?r(Xg,{...e,zone:o}):r(eh,{...e,zone:o})]})}function Bo(e,{grain:t,zone:n}){return t==="hour"?`${Kn(e,n)} ${Rt(e,n)}`:t==="day"?Kn(e,n):e.
toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function Xg(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Month",
cell:n=>Bo(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:o=>xd(n.values[o],e),sort:o=>n.values[o]??
-1});return r(Ie,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,o)=>o),id:String,sorted:"-at"})}function xd(e,{format:t}){return e==null?"–":t(e)}function eh(e){
let{series:t,onPick:n}=e,o=Kr(()=>Hu(t.map(s=>s.name)).map((s,i)=>t[i]?.slot??s),[t]);return r(D,{children:[r("div",{class:"legend",children:t.map((s,i)=>n&&s.name!==
Yr?r("button",{title:`Only ${s.label??s.name}`,type:"button",onClick:()=>n?.(s.name),children:[r(zl,{slot:o[i]??8}),s.label??s.name]},s.name):r("span",{children:[
r(zl,{slot:o[i]??8}),s.label??s.name]},s.name))}),r(th,{...e,slots:o})]})}function zl({slot:e}){return r("i",{style:{background:`var(--series-${e})`}})}function th(e){
let t=pt(null),[n,o]=q(null),[s,i]=q(0);return de(()=>{let l=()=>i(a=>a+1);return Ko.addEventListener("scheme",l),()=>Ko.removeEventListener("scheme",l)},[]),de(
()=>{let l=t.current;if(!l)return;let a={...e,width:l.clientWidth-16,onPoint:o,onZoom:nh},c=kd(l,a),p=new ResizeObserver(()=>c.setSize({width:l.clientWidth-16,height:c.
height}));return p.observe(l),()=>{p.disconnect(),c.destroy()}},[e.xs,e.series,e.kind,e.zone,s]),r("div",{class:"plot",ref:t,role:"img","aria-label":oh(e),children:n&&
r(rh,{...e,...n})})}function nh(e,t){te({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(/\.\d+/,"")})}function rh(e){let{series:t,slots:n,
index:o,left:s,xs:i,kind:l}=e,a=t.map((m,y)=>({one:m,slot:n[y]??8,value:m.values[o]??null})).filter(({value:m})=>m!==null&&(l==="lines"||m!==0)),c=i[o];if(!c)return null;
let p=a.reduce((m,{value:y})=>m+(y??0),0),h=s>320;return r("div",{class:"tip","aria-hidden":"true",style:h?{right:`calc(100% - ${s-12}px)`}:{left:`${s+12}px`},children:[
r("div",{children:[r("strong",{children:Bo(c,e)}),l==="bars"&&r("b",{children:e.format(p)})]}),a.map(({one:m,slot:y,value:b})=>r("div",{children:[r(zl,{slot:y}),
m.label??m.name,r("b",{children:xd(b,e)})]},m.name)),Gl(e,o)&&r("div",{class:"muted",children:"not over yet"})]})}function oh(e){let{title:t,xs:n,series:o,kind:s}=e,
[i,l]=[n[0],n[n.length-1]];if(!i||!l)return`${t}: nothing`;let a=n.map((p,h)=>s==="bars"?o.reduce((m,y)=>m+(y.values[h]??0),0):Math.max(0,...o.map(m=>m.values[h]??
0))),c=a.indexOf(Math.max(...a));return`${t}, ${Bo(i,e)} to ${Bo(l,e)}, highest ${e.format(a[c]??0)} on ${Bo(n[c]??l,e)}`}function Td({list:e}){return r(D,{children:[r("ul",{class:"meters",children:e.budgets.map(t=>r("li",{children:r(sh,{use:t})},`${t.of} ${t.id} ${t.budget}`))}),r(
"ul",{class:"meters small",children:e.data.map(t=>r("li",{children:r(ih,{use:t})},`${t.of} ${t.id} ${t.limit}`))})]})}var Sd=.9;function sh({use:e}){let{zone:t}=F(),
{used:n,held:o,most:s,remaining:i,unit:l,forecast:a}=e,c=a!==null&&a>s,p=i<=0?"bad":n+o>=Sd*s||c?"warn":"",h=`${hn(l,n)} spent, ${hn(l,o)} held, ${hn(l,Math.max(
0,i))} left of ${hn(l,s)}`;return r(D,{children:[r("div",{class:"row",children:[r("span",{children:[r(Cd,{use:e})," ",r("strong",{children:Zi(e)})]}),i<=0&&r("s\
pan",{class:"bad",children:o>0&&n<s?"all of it is used or held":"used up"}),r("span",{class:"rest muted small",children:e.reset?r(D,{children:["resets ",r("time",
{title:Ft(new Date(e.reset)),children:[Kn(new Date(e.reset),t)," ",Rt(new Date(e.reset),t)]})]}):"never resets"})]}),r(Pd,{label:`${e.name}: ${Zi(e)}`,said:h,most:s,
used:n,held:o,mark:a,tone:p}),r("div",{class:"row small",children:[r("span",{children:[hn(l,n)," spent"]}),o>0&&r("span",{class:"muted",children:[hn(l,o)," held\
 by running calls"]}),r("span",{class:i<=0?"bad":"muted",children:[hn(l,Math.max(0,i))," left"]}),a!==null&&r("span",{class:`rest ${c?"warn":"muted"}`,children:[
"at this rate ",hn(l,a)," when the ",Yi(e.budget)," ends"]})]})]})}function ih({use:e}){let{used:t,most:n,remaining:o}=e,s=o<=0?"bad":t>=Sd*n?"warn":"",i=`${t} \
used, ${o} left of ${n}`;return r(D,{children:[r("span",{children:[r(Cd,{use:e})," ",r("strong",{children:Ji(e)})]}),r(Pd,{label:`${e.name}: ${Ji(e)}`,said:i,most:n,
used:t,held:0,mark:null,tone:s}),r("div",{class:"row",children:[r("span",{children:[G(t)," used"]}),r("span",{class:o<=0?"bad":"muted",children:[G(Math.max(0,o)),
" left"]}),e.reset_ms?r("span",{class:"rest muted",children:["all back in ",Se(e.reset_ms*1e3)]}):null]})]})}function Cd({use:e}){switch(e.of){case"key":return r(
"span",{class:"muted",children:"Key"});case"team":return r("span",{class:"muted",children:["Team ",r("a",{href:ne("/teams/"+encodeURIComponent(e.id)),children:e.
name})]});default:return r("span",{class:"muted",children:["Model ",e.name]})}}function Pd({label:e,said:t,most:n,used:o,held:s,mark:i,tone:l}){let a=c=>`${Math.
min(100,Math.max(0,100*c/n))}%`;return r("div",{class:`meter ${l}`,role:"meter","aria-label":e,"aria-valuemin":0,"aria-valuemax":n,"aria-valuenow":Math.min(n,o+
s),"aria-valuetext":t,children:[r("i",{class:"held",style:{width:a(o+s)}}),r("i",{class:"used",style:{width:a(o)}}),i!==null&&r("i",{class:"mark",style:{left:a(
i)}})]})}function Vn({tone:e="",children:t}){return r("div",{class:`panel alert ${e}`,children:t})}function zs({of:e,list:t}){return e.source!=="config"?null:r(Vn,{tone:"\
quiet-edge",children:r("span",{children:[e.name," is in the config file, under ",r("code",{children:t}),", and nothing of it can be changed here. Change it ther\
e: Weir reads the file anew within seconds.",t==="keys"&&r(D,{children:[" Another secret is made by ",r("code",{children:"weir keys create --offline"}),", which\
 prints the lines for the file."]})]})})}function Gs({at:e}){let{zone:t}=F(),n=new Date(e);return r("time",{title:Ft(n),children:mt(n,t)})}function Ed({at:e}){let{
zone:t}=F();return r("time",{title:Ft(e),children:gs(e,t)})}function Us({of:e}){return r(D,{children:[r("dt",{children:"Id"}),r("dd",{children:[r("span",{class:"\
mono",children:e.id})," ",r(at,{text:e.id})]}),r("dt",{children:"Models"}),r("dd",{children:r(Gn,{models:e.models,all:!0})}),e.budgets&&r(D,{children:[r("dt",{children:"\
Calls hold"}),r("dd",{children:e.reserve==="strict"?"the most they can take":"what is usual"})]}),e.cut&&r(D,{children:[r("dt",{children:"Streams"}),r("dd",{children:"\
end when a budget has no room"})]}),e.warn&&r(D,{children:[r("dt",{children:"Warns at"}),r("dd",{children:e.warn.map(t=>`${t} %`).join(", ")})]}),e.created_at&&
r(D,{children:[r("dt",{children:"Made"}),r("dd",{children:r(Gs,{at:e.created_at})})]}),e.revoked_at&&r(D,{children:[r("dt",{children:"Revoked"}),r("dd",{children:r(
Gs,{at:e.revoked_at})})]})]})}function Hs({of:e,asked:t,command:n,may:o}){return r("section",{class:"panel","aria-label":"Budgets and limits",children:[r("heade\
r",{children:[r("h2",{children:"Budgets and limits"}),r("div",{class:"rest",children:[r(Re,{route:"GET /admin/v1/limits",asked:t,command:n}),o&&r("button",{class:"\
quiet",onClick:()=>ft("edit"),children:"Change"})]})]}),r(ge,{of:e,isEmpty:({data:s,budgets:i})=>s.length+i.length===0,empty:r(D,{children:[r("strong",{children:"\
Nothing bounds it"}),r("span",{children:"It may ask as often, and spend as much, as the providers allow."})]}),children:s=>r(Td,{list:s})})]})}function Ws({only:e}){
let{zone:t}=F(),n=kt(le().params),o=ur(n,t)==="month"?"month":"day",s={query:{by:`model,${o}`,since:n.since,...n.until&&{until:n.until},...e}},i=z("GET /admin/v\
1/usage",s);return r(ge,{of:i,children:({data:l,since:a,until:c})=>{if(l.every(m=>m.cost_nanodollars===0))return r("div",{class:"panel state",children:[r("stron\
g",{children:"Nothing was spent in this span"}),r("span",{children:"Choose another one above."})]});let p=Cn(new Date(a),new Date(c),o,t),h=Jr({rows:l,xs:p,zone:t,
group:m=>m.model??"",value:m=>m.cost_nanodollars});return r(yr,{title:`Cost per ${o}, by model`,kind:"bars",grain:o,xs:p,until:new Date,series:h,format:fe,axis:Gr,
tools:r(Re,{list:!0,route:"GET /admin/v1/usage",asked:s})})}})}var Md=200,lh=30;function ah(e,t=new Date){let n=Kt(Dt(t,e).slice(0,10)+"T12:00",e);return Dt(new Date(n.getTime()-(lh-1)*864e5),e).slice(0,10)}function Yn(e,t={}){
let{zone:n}=F(),o=ah(n),s=z("GET /admin/v1/usage",{query:{by:`${e},day`,since:o,top:Md,...t}}),i=Cn(Kt(o,n),new Date,"day",n).map(a=>a.getTime()),l=new Map;for(let a of s.
data?.data??[])uh(l,a[e]??"",a,i,ll(a,n));return{of:l,whole:s.data!==null&&l.size<Md,answer:s}}function uh(e,t,n,o,s){let i=e.get(t);i||e.set(t,i={cost:0,requests:0,
days:o.map(()=>0),last:null}),i.cost+=n.cost_nanodollars,i.requests+=n.requests;let l=o.indexOf(s.getTime());l>=0&&(i.days[l]=(i.days[l]??0)+n.cost_nanodollars),
n.attempts>0&&(i.last===null||s>i.last)&&(i.last=s)}function Bs(e){return[{key:"started",title:"Time",cell:t=>r(Ul,{at:t.started,zone:e}),sort:t=>t.started},{key:"key",title:"Key",cell:t=>t.key_name||t.key,sort:t=>t.
key_name},{key:"model",title:"Model",cell:t=>t.model,sort:t=>t.model},{key:"target",title:"Target",cell:t=>r(Wl,{...t}),sort:t=>`${t.provider}/${t.upstream}`},{
key:"status",title:"Status",cell:t=>r(js,{status:t.status,outcome:t.outcome,attempts:t.attempts}),sort:t=>t.status+t.outcome},{key:"took",title:"Took",num:!0,cell:t=>Se(
t.took_us),sort:t=>t.took_us},{key:"first",title:"First token",num:!0,cell:t=>Se(t.first_us),sort:t=>t.first_us??-1},{key:"tokens",title:"Tokens",num:!0,cell:t=>`${t.
estimated?"~ ":""}${G(t.input_tokens)} → ${G(t.output_tokens)}`,sort:t=>t.input_tokens+t.output_tokens,hint:"In and out. ~: Weir counted them, the provider di\
d not say"},{key:"cost",title:"Cost",num:!0,cell:t=>r(Hl,{nanodollars:t.cost_nanodollars}),sort:t=>t.cost_nanodollars}]}function Ul({at:e,zone:t}){let n=new Date(
e);return r("time",{dateTime:e,title:Ft(n),children:Tu(n,t)})}function Hl({nanodollars:e}){return r("span",{title:Me(e),children:fe(e,4)})}function Wl({provider:e,
upstream:t}){return r("span",{class:"mono",children:[e,"/",t]})}function js({status:e,outcome:t,attempts:n=1}){let o=e==="ok"?"good":e==="failed"?"bad":"warn",s=e===
"ok"||t===e||t==="ok"?e:t.replaceAll("_"," ");return r("span",{children:[r("span",{class:o,children:s}),n>1&&r("span",{class:"muted",children:[" ",n," tries"]})]})}function ao({id:e,onClose:t}){let n={path:{request:e}},o=z("GET /admin/v1/requests/{request}",n);return r(Tt,{aside:!0,title:"Request",onClose:t,children:[r("di\
v",{class:"row",children:[r("span",{class:"mono",children:e}),r(at,{text:e,label:"Copy id"}),r(Re,{route:"GET /admin/v1/requests/{request}",asked:n,command:`wei\
r requests ${xt(e)}`})]}),r(ge,{of:o,children:s=>r(ch,{request:s})})]})}function ch({request:e}){let t=e.trail.filter(o=>o.adjusts===null),n=e.trail.filter(o=>o.
adjusts!==null);return r("div",{class:"stack",children:[r(dh,{request:e}),r("section",{class:"stack","aria-label":"Calls",children:[r("h3",{children:[ve(t.length,
"call")," in ",ve(e.attempts,"attempt")]}),t.map(o=>r(ph,{call:o,request:e},o.seq))]}),n.length>0&&r(hh,{calls:n}),r(bh,{request:e})]})}function dh({request:e}){
let{zone:t}=F(),n=[["Status",r(js,{status:e.status,outcome:e.outcome,attempts:e.attempts})],["Began",r(Ul,{at:e.started,zone:t})],["Key",r("a",{href:ne("/reques\
ts",{key:e.key}),children:e.key_name||e.key})],["Model",r("a",{href:ne("/requests",{model:e.model}),children:e.model})],["Took",Se(e.took_us)+(e.first_us===null?
"":`, first token after ${Se(e.first_us)}`)],["Weir’s own part",Se(e.own_us)],["Tokens",`${G(e.input_tokens)} in, ${G(e.output_tokens)} out${e.estimated?", co\
unted by Weir in part":""}`],["Cost",Me(e.cost_nanodollars)]];return e.client_id!==null&&n.push(["Caller’s id",r("span",{class:"mono",children:e.client_id})]),
e.tags.length>0&&n.push(["Tags",e.tags.join(", ")]),e.flags.length>0&&n.push(["Flags",e.flags.map(Vs).join(", ")]),r("dl",{class:"pairs",children:n.map(([o,s])=>[
r("dt",{children:o}),r("dd",{children:s})])})}function Vs(e){return e.replaceAll("_"," ")}function ph({call:e,request:t}){let n=(new Date(e.started).getTime()-new Date(
t.started).getTime())*1e3;return r("div",{class:"panel",children:[r("header",{children:[r("span",{class:"muted",children:e.try}),r(Wl,{...e}),r("div",{class:"re\
st wide",children:[r(js,{status:e.outcome==="ok"?"ok":"failed",outcome:e.outcome}),r(Hl,{nanodollars:e.cost_nanodollars})]})]}),r("div",{class:"body stack",children:[
r(fh,{after:n,call:e,whole:t.took_us}),r("p",{class:"small muted",children:[e.call>0&&`after ${Se(n)}, `,"took ",Se(e.took_us),e.first_us!==null&&`, first token\
 ${Se(e.first_us)}`,e.status!==null&&`, HTTP ${e.status}`,e.flags.length>0&&`, ${e.flags.map(Vs).join(", ")}`,`, tokens ${mh[e.source]}`]}),r(gh,{call:e}),e.upstream_id!==
null&&r("p",{class:"small",children:[r("span",{class:"muted",children:"The provider calls it "}),r("span",{class:"mono",children:e.upstream_id}),r(at,{text:e.upstream_id})]})]})]})}
var mh={provider:"as the provider reports",counted:"counted by Weir",reserved:"unknown: what was held is charged"};function fh({after:e,call:t,whole:n}){let o=a=>n>
0?Math.min(Math.max(a,0),n)/n*400:0,[s,i]=[o(e),o(e+t.took_us)],l=t.first_us===null?i:o(e+t.first_us);return r("svg",{class:"strip",viewBox:"0 0 400 8",preserveAspectRatio:"\
none","aria-hidden":"true",children:[r("rect",{width:"400",height:"8",class:"rail"}),r("rect",{x:s,width:Math.max(l-s,1),height:"8",class:t.outcome==="ok"?"wait":
"failed"}),r("rect",{x:l,width:Math.max(i-l,0),height:"8",class:"flow"})]})}function gh({call:e}){if(e.charges===null){let n=e.cost_source==="unpriced"?"No pric\
e is known for this target.":e.cost_source==="provider"?"The provider says what it costs.":"";return n===""?null:r("p",{class:"small muted",children:n})}if(e.charges.
length===0)return null;let t=[{key:"class",title:"Class",cell:n=>Vs(n.class)},{key:"units",title:"Units",num:!0,cell:n=>G(n.units)},{key:"price",title:"Each mil\
lion",num:!0,cell:n=>n.class==="search"||n.class==="request"?"":Me(n.price*1e3)},{key:"cost",title:"Cost",num:!0,cell:n=>Me(n.units*n.price/1e3),sum:Me(e.listed_nanodollars)}];
return r(D,{children:[r(Ie,{label:`What the call to ${e.provider} cost`,columns:t,rows:e.charges,id:n=>n.class}),e.price!==null&&r("p",{class:"small muted",children:[
"by the price ",r("span",{class:"mono",children:e.price})]})]})}function hh({calls:e}){let{zone:t}=F();return r("section",{class:"stack","aria-label":"Correctio\
ns",children:[r("h3",{children:"Corrections"}),e.map(n=>r("p",{children:[mt(new Date(n.started),t),": ",Me(n.cost_nanodollars),", ",n.reason]},n.seq))]})}function bh({
request:e}){let[t,n]=q(!1),o={query:{model:e.model,key:e.key}},s=z("GET /admin/v1/explain",t?o:null);return r("section",{class:"stack","aria-label":"Explained a\
gain",children:[r("div",{class:"row",children:[r("h3",{children:"What would it meet now?"}),r("button",{onClick:()=>t?s.reload():n(!0),children:"Explain again n\
ow"}),r(at,{text:`weir explain ${xt(e.model)} --key ${xt(e.key_name||e.key)}`,label:"Copy command"})]}),t&&r(ge,{of:s,children:i=>r(yh,{explanation:i})})]})}function yh({
explanation:e}){let t=e.plans.flatMap(o=>o.targets.map(s=>({...s,route:o.route}))),n=[{key:"turn",title:"Turn",num:!0,cell:o=>o.turn??"–"},{key:"target",title:"\
Target",cell:o=>r("span",{class:"mono",children:o.target})},{key:"model",title:"For",cell:o=>o.route},{key:"skip",title:"Note",wrap:!0,cell:o=>o.skip===null?o.breaker===
"closed"?"":r("span",{class:"warn",children:["breaker ",o.breaker]}):r("span",{class:"warn",children:["skipped: ",o.barred??Vs(o.skip)]})}];return r(D,{children:[
e.refused!==null&&r("p",{class:"bad",children:["It would be refused: ",e.refused]}),r(Ie,{label:"Targets in the order of trying",columns:n,rows:t,id:o=>o.route+
o.target})]})}function uo({children:e}){return r("dl",{class:"panel tiles",children:e})}function ut({label:e,figure:t,hint:n,tone:o="",children:s}){return r("div",{class:"til\
e",children:[r("dt",{children:e}),r("dd",{class:`figure ${o}`,title:n,children:t}),r("dd",{class:"note",children:s})]})}function Rd({name:e}){let t=z("GET /admin/v1/keys/{key}",{path:{key:e}}),n=kn("PATCH /admin/v1/keys/{key}")&&t.data?.source==="store"&&t.data.status!=="revoked";
return r(Ne,{title:t.data?.name??"Key",up:{path:"/keys",title:"Keys"},mark:t.data&&r(Ao,{of:t.data}),period:!0,of:t,tools:n&&r(_h,{}),children:r(ge,{of:t,children:o=>r(
vh,{of:o,may:n})})})}function _h(){return r(D,{children:[r("button",{onClick:()=>ft("edit"),children:"Edit"}),r("button",{onClick:()=>ft("rotate"),children:"Rot\
ate"}),r("button",{class:"danger",onClick:()=>ft("revoke"),children:"Revoke"})]})}function vh({of:e,may:t}){let[n]=Wn(),o={query:{key:e.id}},s=e.status==="activ\
e"||e.status==="expired",i=z("GET /admin/v1/limits",s?o:null),l=z("GET /admin/v1/requests",{query:{key:e.id,limit:10}}),a=Yn("key",o.query),c=l.data?.data[0]?.started??
null;return r("div",{class:"stack",children:[r(wh,{of:e}),r(kh,{of:e,last:c,spending:a}),r("div",{class:"sides",children:[s&&r(Hs,{of:i,asked:o,command:`weir li\
mits ${e.id}`,may:t}),r(Th,{of:e})]}),r(Ws,{only:o.query}),r(Sh,{of:l,keyID:e.id}),t&&n==="edit"&&r(Fu,{of:e}),t&&n==="rotate"&&r(Gu,{of:e}),t&&n==="revoke"&&r(
zu,{of:e,lastUsed:c?`Its last request came ${xn(Date.now()-Date.parse(c))} ago.`:"It has made no request that is still known."})]})}function wh({of:e}){let{zone:t}=F();
return r(D,{children:[e.unsaved&&r(Vn,{tone:"bad-edge",children:[r("strong",{class:"bad",children:"Refused here, but not saved."}),r("span",{children:[e.unsaved.
reason,". Weir tries again. ",e.unsaved.survives_restart?"A restart refuses it, too.":"It works again after a restart."]})]}),e.status==="team_revoked"&&r(Vn,{children:[
r("span",{class:"warn",children:"Its team is revoked, or not known here."}),r("span",{children:"The key is refused until it is in another team."})]}),e.status===
"expired"&&r(Vn,{children:[r("span",{class:"warn",children:"It has expired."}),r("span",{children:"A later date lets it in again."})]}),e.previous_until&&r(Vn,{
tone:"quiet-edge",children:r("span",{children:["The secret before the last rotation works until ",mt(new Date(e.previous_until),t),"."]})}),r(zs,{of:e,list:"key\
s"})]})}function kh({of:e,last:t,spending:n}){let{zone:o}=F(),s=kt(le().params),i=z("GET /admin/v1/usage",{query:{by:"key",key:e.id,since:s.since,...s.until&&{until:s.
until}}}),l=n.of.get(e.id)?.cost??0;return r("section",{"aria-label":"Figures",children:r(ge,{of:i,children:({data:[a]})=>r(uo,{children:[r(ut,{label:`Spent, ${fn(
s,o).toLowerCase()}`,figure:fe(a?.cost_nanodollars??0),hint:Me(a?.cost_nanodollars??0),children:n.answer.data&&`${fe(l)} in 30 days`}),r(ut,{label:"Requests",figure:G(
a?.requests??0),children:[ve(a?.attempts??0,"call")," to providers"]}),r(ut,{label:"Tokens",figure:nn((a?.input_tokens??0)+(a?.output_tokens??0)),hint:G((a?.input_tokens??
0)+(a?.output_tokens??0)),children:[lt(a?.cache_read_tokens??0,a?.input_tokens??0)," of prompts from caches"]}),r(ut,{label:"Last request",figure:t?`${xn(Date.now()-
Date.parse(t)).split(" ").slice(0,2).join(" ")} ago`:"–",children:t?r(Gs,{at:t}):"none is known"}),r(xh,{of:e})]})})})}function xh({of:e}){if(!e.expires_at)return r(
ut,{label:"Expires",figure:"Never"});let t=new Date(e.expires_at),n=t.getTime()-Date.now();return r(ut,{label:n>0?"Expires":"Expired",figure:n>0?`in ${xn(n).replace(
/ \d+ (min|s)$/,"")}`:`${xn(-n)} ago`,tone:n<ws?"warn":"",children:r(Ed,{at:t})})}function Th({of:e}){return r("section",{class:"panel","aria-label":"About the \
key",children:[r("header",{children:r("h2",{children:"About the key"})}),r("dl",{class:"pairs body",children:[r("dt",{children:"Team"}),r("dd",{children:e.team_id?
r("a",{href:ne("/teams/"+encodeURIComponent(e.team_id)),children:e.team??e.team_id}):r("span",{class:"muted",children:"none"})}),r(Us,{of:e}),r("dt",{children:"\
Repeats"}),r("dd",{children:e.idempotency?r(D,{children:["answers are kept for ",e.idempotency]}):r("span",{class:"muted",children:"Idempotency-Key is refused"})}),
e.explain&&r(D,{children:[r("dt",{children:"Explains"}),r("dd",{children:"with the header Weir-Explain"})]}),r("dt",{children:"Lives in"}),r("dd",{children:e.source===
"config"?"the config file":"the store"})]})]})}function Sh({of:e,keyID:t}){let{zone:n}=F(),o=le().params.get("request");return r("section",{class:"panel","aria-\
label":"Newest requests",children:[r("header",{children:[r("h2",{children:"Newest requests"}),r("div",{class:"rest",children:[r(Re,{route:"GET /admin/v1/request\
s",asked:{query:{key:t}},command:`weir requests --key ${t}`,list:!0}),r("a",{class:"button quiet",href:ne("/requests",{key:t}),children:"All requests"})]})]}),r(
ge,{of:e,isEmpty:({data:s})=>s.length===0,empty:r(D,{children:[r("strong",{children:"No request yet"}),r("span",{children:"Nobody has called with this key, or i\
ts requests are no longer kept."})]}),children:({data:s})=>r(Ie,{label:"Newest requests",columns:Bs(n).filter(({key:i})=>i!=="key"),rows:s,id:i=>i.request,selected:o,
onOpen:i=>te({request:i.request})})}),o!==null&&r(ao,{id:o,onClose:()=>te({request:null})},o)]})}var Dd={query:{limit:1e3}},Ch=[{value:"",label:"Not revoked"},{value:"active",label:"Active"},{value:"expired",label:"Expired"},{value:"team_revoked",label:"Tea\
m revoked"},{value:"revoked",label:"Revoked"},{value:"all",label:"All"}];function qd(){let e=z("GET /admin/v1/keys",Dd),[t]=Wn(),n=kn("POST /admin/v1/keys"),{params:o}=le();
return r(Ne,{title:"Keys",team:!0,of:e,tools:n&&r("button",{class:"primary",onClick:()=>ft("create"),children:"Create key"}),children:[r("section",{class:"panel",
"aria-label":"Keys",children:[r("header",{children:[r(Ph,{}),r("div",{class:"rest",children:r(Re,{list:!0,route:"GET /admin/v1/keys",asked:Dd,command:"weir keys\
 list"})})]}),r(ge,{of:e,isEmpty:({data:s})=>s.length===0,empty:r(Eh,{may:n}),children:({data:s,next:i})=>r(Mh,{keys:s,more:i!==null})})]}),t==="create"&&n&&r(Ts,
{team:o.get("team")??""})]})}function Ph(){let{params:e}=le();return r("div",{class:"filters",role:"search","aria-label":"Keys",children:[r(ae,{bare:!0,label:"N\
ame, id or model",type:"search",placeholder:"Name, id or model",value:e.get("q")??"",onInput:t=>te({q:t},!0)}),r(Ve,{bare:!0,label:"Status",value:e.get("status")??
"",options:Ch,onChange:t=>te({status:t})})]})}function Eh({may:e}){return r(D,{children:[r("strong",{children:"No key yet"}),r("span",{children:"Callers need on\
e. Make it here or on the command line:"}),r("pre",{class:"code",children:"weir keys create --name my-app"}),e&&r("button",{class:"primary",onClick:()=>ft("crea\
te"),children:"Create key"})]})}function Mh({keys:e,more:t}){let{zone:n}=F(),o=Yn("key"),{params:s}=le(),[i,l,a]=[(s.get("q")??"").toLowerCase(),s.get("team")??
"",s.get("status")??""],c=e.filter(p=>Rh(p,i)&&(l===""||p.team===l)&&(a==="all"||(a===""?p.status!=="revoked":p.status===a)));return r(D,{children:[c.length===0?
r(Dh,{text:s.get("q")??""}):r(Ie,{label:"Keys",columns:qh(n,o),rows:c,id:p=>p.id,sorted:"-spent",most:100}),t&&r("p",{class:"state small",children:["Only the fi\
rst ",G(e.length)," keys are listed. Look for others by their whole name or id."]}),r("p",{class:"unseen",role:"status",children:[c.length," of ",e.length," key\
s are shown"]})]})}function Rh(e,t){return t===""||e.name.toLowerCase().includes(t)||e.id.toLowerCase()===t||(e.models??[]).some(n=>n.toLowerCase().includes(t))}
function Dh({text:e}){let[t,n]=q(!1);return r("div",{class:"state",children:[r("strong",{children:"No key matches"}),r("div",{class:"row",children:[r("button",{
onClick:()=>te({q:null,status:null,team:null}),children:"Clear filters"}),e!==""&&r("button",{disabled:t,onClick:()=>{n(!0),We("GET /admin/v1/keys/{key}",{path:{
key:e}}).then(({id:s})=>Fn(ne("/keys/"+s)),s=>bs(tn(s).message,!0)).finally(()=>n(!1))},children:["Look for a key called ",e]})]})]})}function qh(e,t){let n=s=>t.
of.get(s.id)?.cost??-1,o=s=>t.of.get(s.id)?.last??null;return[{key:"name",title:"Key",cell:s=>r("div",{class:"words",children:[r("a",{href:ne("/keys/"+encodeURIComponent(
s.id)),children:s.name}),r("span",{class:"second mono",children:s.id})]}),sort:s=>s.name},{key:"team",title:"Team",cell:s=>s.team&&s.team_id?r("a",{href:ne("/te\
ams/"+encodeURIComponent(s.team_id)),children:s.team}):r("span",{class:"muted",children:"–"}),sort:s=>s.team??""},{key:"spent",title:"Spent in 30 days",num:!0,
cell:s=>r(jr,{spending:t,id:s.id}),sort:n},{key:"last",title:"Last used",cell:s=>r($h,{at:o(s),spending:t,zone:e}),sort:s=>o(s)?.getTime()??0},{key:"models",title:"\
Models",cell:s=>r(Gn,{models:s.models}),sort:s=>(s.models??[]).join()},{key:"bounds",title:"Budgets, limits",cell:s=>r(Br,{of:s}),sort:Hr},{key:"expires",title:"\
Expires",cell:s=>s.expires_at?r("time",{title:Ft(new Date(s.expires_at)),children:gs(new Date(s.expires_at),e)}):r("span",{class:"muted",children:"never"}),sort:s=>s.
expires_at?Date.parse(s.expires_at):1/0},{key:"status",title:"Status",cell:s=>r(Wr,{of:s}),sort:s=>In(s).word}]}function $h({at:e,spending:t,zone:n}){return e?r(
D,{children:Kn(e,n)}):r("span",{class:"muted",children:t.whole?"not in 30 days":"–"})}function jl(e){let t=["models:",`  ${Bl(e.id)}:`,`    targets: [${e.targets.map(({target:s})=>Bl(s)).join(", ")}]`];e.policy!=="ordered"&&t.push(`    policy: ${e.
policy}`),e.sticky!=="none"&&t.push(`    sticky: ${e.sticky}`);let[n,...o]=e.fallbacks.map(({on:s,to:i})=>`{on: [${s.join(", ")}], to: [${i.map(Bl).join(", ")}]\
}`);return n!==void 0&&t.push(`    fallbacks: ${o.length===0?n:`[${[n,...o].join(", ")}]`}`),t.join(`
`)+`
`}function Bl(e){return/^[A-Za-z_/][\w./~@+-]*(?: [\w./~@+-]+)*$/.test(e)&&!/^(true|false|null|yes|no|on|off|~)$/i.test(e)?e:JSON.stringify(e)}function Ad(){let{zone:e}=F(),{params:t}=le(),n=kt(t),o=z("GET /admin/v1/models",{}),s=Ah(n.since,n.until),i=t.get("find")??"",l=t.get("model");return r(Ne,{title:"\
Models",period:!0,of:o,children:[r("section",{class:"panel","aria-label":"Models",children:[r("header",{children:[r(ae,{bare:!0,label:"Find a model or target",type:"\
search",placeholder:"Find a model or target",value:i,onInput:a=>te({find:a},!0)}),r("span",{class:"muted small",children:["Health now; the rest ",fn(n,e).toLowerCase()]}),
r("div",{class:"rest",children:r(Re,{list:!0,route:"GET /admin/v1/models",asked:{},command:"weir models"})})]}),r(ge,{of:o,isEmpty:({data:a})=>a.length===0,empty:r(
Hh,{}),children:({data:a})=>{let c=a.filter(p=>Oh(p,i));return c.length===0?r("div",{class:"state",children:["No model and no target has “",i,"” in its name."]}):
r(Kh,{models:c,figures:s})}})]}),l!==null&&o.data&&r(Uh,{model:o.data.data.find(a=>a.id===l),name:l})]})}function Ah(e,t){let n={since:e,...t&&{until:t}},o=z("G\
ET /admin/v1/usage",{query:{by:"model",...n}}),s=z("GET /admin/v1/latency",{query:{by:"model",...n}}),i=z("GET /admin/v1/latency",{query:{by:"model,target",...n}});
return{usage:new Map((o.data?.data??[]).map(l=>[l.model??"",l])),speeds:new Map((s.data?.data??[]).map(l=>[l.model??"",l])),targets:Lh(i.data?.data??[])}}function Lh(e){
let t=new Map;for(let n of e)t.set(n.model??"",[...t.get(n.model??"")??[],n]);return t}function Oh(e,t){let n=o=>o.toLowerCase().includes(t.trim().toLowerCase());
return n(e.id)||e.targets.some(({target:o})=>n(o))}var Fh=[["Requests","Of a target: calls to it"],["Share","Of the calls that requests for the model led to"],[
"Failed","Calls of which the target is at fault"],["First token, p95","95 % of calls had their first content within"],["Whole, p95","95 % of answered calls ende\
d within"],["Cost of 1,000","What 1,000 requests cost"],["From caches","The share of prompts that providers read from their caches"]];function Kh({models:e,figures:t}){
return r("div",{class:"scroll",tabIndex:0,role:"group","aria-label":"Models and their targets",children:r("table",{class:"grouped",children:[r("thead",{children:r(
"tr",{children:[r("th",{scope:"col",children:"Model, and its targets in order"}),r("th",{scope:"col",children:"Health"}),Fh.map(([n,o])=>r("th",{scope:"col",colSpan:n===
"Share"?2:1,class:n==="Share"?void 0:"num",title:o,children:n},n))]})}),e.map(n=>r(Nh,{model:n,figures:t},n.id))]})})}function Nh({model:e,figures:t}){let n=t.usage.
get(e.id),o=t.speeds.get(e.id),s=t.targets.get(e.id)??[],i=s.reduce((c,p)=>c+p.calls,0),l=e.targets.map(c=>({target:c,rows:s.filter(p=>$d(c.target,p.target??""))})),
a=s.filter(c=>!e.targets.some(({target:p})=>$d(p,c.target??"")));return r("tbody",{children:[r("tr",{class:"first",children:[r("th",{scope:"rowgroup",colSpan:2,
children:r("div",{class:"row",children:[r("a",{href:Co({model:e.id}),children:e.id}),r("span",{class:"muted small",children:Ih(e)})]})}),r("td",{class:"num",children:n?
G(n.requests):"–"}),r("td",{colSpan:2}),r(Vl,{row:o}),r("td",{class:"num",children:n&&n.requests>0?r("span",{title:Me(n.cost_nanodollars)+" in all",children:fe(
n.cost_nanodollars*1e3/n.requests)}):"–"}),r("td",{class:"num",children:n&&n.input_tokens>0?lt(n.cache_read_tokens,n.input_tokens):"–"})]}),l.map(({target:c,
rows:p},h)=>r(Gh,{turn:e.policy==="ordered"?h+1:0,target:c,rows:p,calls:i},c.target)),a.length>0&&r(zh,{rows:a,calls:i}),e.fallbacks.map(c=>r("tr",{class:"then",
children:r("td",{colSpan:10,class:"muted",children:["on ",c.on.map(p=>p.replace("_"," ")).join(", "),": ",c.to.map((p,h)=>r("span",{children:[h>0&&", ",r("a",{href:Co(
{model:p}),children:p})]},p))]})},c.on.join()))]})}function $d(e,t){return e.endsWith("*")?t.startsWith(e.slice(0,-1)):t===e}function Ih(e){let t=[e.policy];return e.
sticky!=="none"&&t.push(`sticky by ${e.sticky}`),e.context_length!==null&&t.push(`${G(e.context_length)} tokens`),t.join(" · ")}function Gh({turn:e,target:t,rows:n,
calls:o}){let s=n.reduce((i,l)=>i+l.calls,0);return r("tr",{children:[r("td",{class:"target",children:[r("span",{class:"turn muted",children:e>0?e:"·"}),r("cod\
e",{children:t.target}),t.models_down>0&&r("span",{class:"warn small",children:[" ",t.models_down," of its models down"]})]}),r("td",{children:r(qo,{health:t.health})}),
r("td",{class:"num",children:o>0?G(s):"–"}),r("td",{class:"num",children:o>0?lt(s,o):"–"}),r("td",{class:"part",children:o>0&&r(Tn,{part:s,whole:o})}),r(Vl,
{row:Ld(n)}),r("td",{colSpan:2,class:"muted num",children:t.priced===!1&&"no known price"})]})}function zh({rows:e,calls:t}){let n=e.reduce((o,s)=>o+s.calls,0);
return r("tr",{children:[r("td",{class:"target",colSpan:2,title:e.map(o=>o.target).join(", "),children:[r("span",{class:"turn muted",children:"·"}),r("span",{class:"\
muted",children:"fallbacks, and targets of before"})]}),r("td",{class:"num",children:G(n)}),r("td",{class:"num",children:lt(n,t)}),r("td",{class:"part",children:r(
Tn,{part:n,whole:t})}),r(Vl,{row:Ld(e)}),r("td",{colSpan:2})]})}function Ld(e){let[t,...n]=e;if(!t||n.length===0)return t;let o={calls:0,p50_us:null,p90_us:null,
p95_us:null,p99_us:null};return{calls:e.reduce((s,i)=>s+i.calls,0),failed:e.reduce((s,i)=>s+i.failed,0),first:o,took:o}}function Vl({row:e}){return r(D,{children:[
r("td",{class:e&&e.failed>0?"num warn":"num",children:e?lt(e.failed,e.calls):"–"}),r("td",{class:"num",children:Se(e?.first.p95_us??null)}),r("td",{class:"num",
children:Se(e?.took.p95_us??null)})]})}function Uh({model:e,name:t}){let n=()=>te({model:null});return e?r(Tt,{aside:!0,title:e.id,onClose:n,children:[r("div",{
class:"row",children:[r("a",{class:"button",href:ne("/explain",{model:e.id}),children:"Explain"}),r("a",{class:"button",href:ne("/playground",{model:e.id}),children:"\
Try it"}),r("a",{class:"button",href:ne("/requests",{model:e.id}),children:"Requests"}),r("a",{class:"button",href:ne("/usage",{model:e.id}),children:"Usage"})]}),
r("dl",{class:"pairs",children:[e.display_name!==null&&r(D,{children:[r("dt",{children:"Shown as"}),r("dd",{children:e.display_name})]}),r("dt",{children:"Order"}),
r("dd",{children:[e.policy,e.sticky!=="none"&&`, sticky by ${e.sticky}`]}),r("dt",{children:"Prompt and answer"}),r("dd",{children:e.context_length===null?"not \
known":`${G(e.context_length)} tokens`}),r("dt",{children:"Answer at most"}),r("dd",{children:e.max_output_tokens===null?"not known":`${G(e.max_output_tokens)} \
tokens`})]}),r("h3",{children:"Targets"}),e.targets.map(o=>r("dl",{class:"pairs",children:[r("dt",{children:"Target"}),r("dd",{children:r("code",{children:o.target})}),
r("dt",{children:"Health"}),r("dd",{children:[r(qo,{health:o.health}),o.health&&o.health.in_flight>0&&`, ${G(o.health.in_flight)} in flight`]}),r("dt",{children:"\
Known as"}),r("dd",{children:[o.row===null?"nothing known of it":r("code",{children:o.row}),o.family&&", its family",o.overridden&&", changed by the config"]}),
r("dt",{children:"Price"}),r("dd",{class:o.priced===!1?"warn":void 0,children:o.priced===!1?"not known: its calls cost nothing in the account":o.priced===null?"\
that of each model":"known"})]},o.target)),r("div",{class:"row",children:[r("h3",{children:"In the config"}),r("span",{class:"muted small",children:"The file de\
cides: change it there."}),r("div",{class:"rest",children:r(at,{text:jl(e)})})]}),r("pre",{class:"code",children:jl(e)}),r("p",{class:"muted small",children:"On\
ly what this page knows of the model. Its weights, prices, limits and timeouts, if the file sets them, are not in it."})]}):r(Tt,{aside:!0,title:t,onClose:n,children:r(
"p",{children:"The config has no such model."})})}function Hh(){return r(D,{children:[r("strong",{children:"The config has no models"}),r("span",{children:"Add \
one to the file, then weir reload:"}),r("pre",{class:"code",children:`models:
  smart: {targets: [openai/gpt-5]}`})]})}function Od(){let{params:e}=le(),t={period:kt(e),team:e.get("team")??""},n=z("GET /admin/v1/usage",{query:{by:"model",...co(t)}});return r(Ne,{title:"Overview",
period:!0,team:!0,of:n,children:[r(Wh,{about:t,totals:n}),r(Vh,{}),r(Jh,{about:t,by:e.get("by")??"model"}),t.team===""&&r(Xh,{about:t}),r(eb,{about:t})]})}function co({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function yn(e,t){return e.reduce((n,o)=>n+t(o),0)}function Wh({about:e,totals:t}){
let{zone:n}=F(),o=z("GET /admin/v1/usage",{query:{by:"model",...co({...e,period:hs(e.period,n)})}}),s=z("GET /admin/v1/latency",{query:{by:"all",...co({...e,team:""})}}),
i=z("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),l=o.data?yn(o.data.data,a=>a.cost_nanodollars):0;return r("section",{"aria-label":"Fi\
gures",children:r(ge,{of:t,children:({data:a})=>{let c=yn(a,b=>b.cost_nanodollars),p=yn(a,b=>b.input_tokens+b.output_tokens),h=yn(a,b=>b.attempts),m=s.data?.data[0],
y=Bh((i.data?.data??[]).map(b=>b.own_us));return r(uo,{children:[r(ut,{label:"Cost",figure:fe(c),hint:Me(c),children:To(c,l)?`${To(c,l)} on the span before`:"no\
thing in the span before"}),r(ut,{label:"Requests",figure:G(yn(a,b=>b.requests)),children:e.team?ve(h,"call"):`${lt(m?.failed??0,m?.calls??0)} of ${ve(m?.calls??
0,"call")} failed`}),r(ut,{label:"Tokens",figure:nn(p),hint:G(p),children:[lt(yn(a,b=>b.cache_read_tokens),yn(a,b=>b.input_tokens))," of prompts from caches"]}),
r(ut,{label:"First token, p95",figure:Se(m?.first.p95_us??null),children:y===null?"no requests yet":`Weir’s own part ${Se(y)}`}),r(jh,{rows:a})]})}})})}function Bh(e){
let t=e.toSorted((n,o)=>n-o);return t[Math.floor(t.length/2)]??null}function jh({rows:e}){let[t,n,o]=[yn(e,i=>i.orphaned),yn(e,i=>i.in_doubt),yn(e,i=>i.estimated)],
s=t+n;return r(ut,{label:"Ledger",figure:s===0?"Complete":ve(s,"open row"),tone:s===0?"":"warn",children:[ve(o,"estimated row"),s>0&&`, ${G(t)} orphaned, ${G(n)}\
 in doubt`]})}function Vh(){let{zone:e}=F(),t=z("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).flatMap(Yh));return n.size===0?null:r("section",{class:"\
stack","aria-label":"Troubles",children:[...n].map(([o,s])=>r("div",{class:"panel alert",children:[r("span",{class:"mono",children:o}),r("span",{class:"warn",children:[
"breaker ",s.breaker,s.open_until?` until ${Rt(new Date(s.open_until),e)}`:""]}),r("a",{href:ne("/providers"),children:"Providers"})]},o))})}function Yh(e){return e.
targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var Zh=["model","team","key","provider"];function Jh({about:e,by:t}){let{zone:n}=F(),
o=ur(e.period,n),s={query:{by:`${t},${o}`,...co(e)}},i=z("GET /admin/v1/usage",s),l=r(D,{children:[r(Nn,{label:"Divide by",value:t,options:Zh.map(a=>({value:a,label:a})),
onChange:a=>te({by:a==="model"?null:a})}),r(Re,{list:!0,route:"GET /admin/v1/usage",asked:s,command:`weir usage --by ${t},${o} --since ${e.period.since}`})]});return r(
ge,{of:i,children:({data:a,since:c,until:p})=>{let h=Cn(new Date(c),new Date(p),o,n),m=Jr({rows:a,xs:h,zone:n,group:y=>dr(y,t),value:y=>y.cost_nanodollars});return r(
yr,{title:`Cost per ${o}, by ${t}`,kind:"bars",grain:o,xs:h,until:new Date,series:m,format:fe,axis:Gr,tools:l,onPick:y=>te(Qh(t,y))})}})}function Qh(e,t){return e===
"team"?{team:t}:{[e]:t}}function Xh({about:e}){let{zone:t}=F(),n=ur(e.period,t)==="hour"?"hour":"day",o={query:{by:n,...co({...e,team:""})}},s=z("GET /admin/v1/\
latency",o);return r(ge,{of:s,children:({data:i,since:l,until:a})=>{let c=Cn(new Date(l),new Date(a),n,t);return r(yr,{title:`Time of calls per ${n}`,kind:"line\
s",grain:n,xs:c,until:new Date,series:Wu(i,c,"took"),format:Se,axis:vu,tools:r(Re,{list:!0,route:"GET /admin/v1/latency",asked:o})})}})}function eb({about:e}){let{
zone:t}=F(),n={query:{by:"key",top:50,...co(e)}},o=z("GET /admin/v1/usage",n);return r("section",{class:"panel","aria-label":"Keys by cost",children:[r("header",
{children:[r("h2",{children:"Keys by cost"}),r("span",{class:"muted small",children:fn(e.period,t)}),r("div",{class:"rest",children:r(Re,{list:!0,route:"GET /ad\
min/v1/usage",asked:n,command:`weir usage --by key --top 50 --since ${e.period.since}`})})]}),r(ge,{of:o,isEmpty:({data:s})=>s.length===0,empty:r(Yl,{}),children:({
data:s})=>r(Ie,{label:"Keys by cost",columns:tb(s),rows:s,id:i=>i.key??"",sorted:"-cost"})})]})}function tb(e){let t=Math.max(0,...e.map(n=>n.cost_nanodollars));
return[{key:"key",title:"Key",cell:n=>r("a",{href:ne("/requests",{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.key||""},{key:"cost",title:"Cost",num:!0,
cell:n=>r("span",{title:Me(n.cost_nanodollars),children:fe(n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"share",title:"Share",cell:n=>r(Tn,{part:n.cost_nanodollars,
whole:t})},{key:"requests",title:"Requests",num:!0,cell:n=>G(n.requests),sort:n=>n.requests},{key:"input",title:"Tokens in",num:!0,cell:n=>G(n.input_tokens),sort:n=>n.
input_tokens},{key:"output",title:"Tokens out",num:!0,cell:n=>G(n.output_tokens),sort:n=>n.output_tokens},{key:"cached",title:"From caches",num:!0,cell:n=>lt(n.
cache_read_tokens,n.input_tokens),sort:n=>n.input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function Yl(){return r(D,{children:[r("strong",{children:"No req\
uest in this span"}),r("span",{children:"Make a key and call a model with it:"}),r("pre",{class:"code",children:`weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}function Fd({progress:e,onKeep:t}){let{text:n,thought:o,calls:s,ended:i,error:l,finish:a}=e,c=ib(i?e.request:null);return r("section",{class:"panel answer","ari\
a-label":"Answer","aria-busy":!i,children:[r("header",{children:[r("h2",{children:"Answer"}),r("span",{class:"muted small",children:e.target}),r("div",{class:"r\
est",children:[n!==""&&r(at,{text:n}),i&&n!==""&&r("button",{class:"quiet",onClick:()=>t(n),children:"Go on from here"})]})]}),r(nb,{progress:e,record:c}),o!==""&&
r("details",{class:"body",children:[r("summary",{class:"muted small",children:"Reasoning"}),r("div",{class:"spoken muted",children:o})]}),(n!==""||!l)&&r("div",
{class:"body spoken",tabIndex:0,"aria-label":"Text of the answer",children:[n,!i&&r("span",{class:"caret","aria-hidden":"true"})]}),s!==""&&r("div",{class:"body",
children:r("pre",{class:"code",children:s})}),l&&(l.code==="stopped"?r("p",{class:"body muted",children:"You stopped it. What had come until then is charged."}):
r(cr,{error:l})),i&&a!==null&&a!=="stop"&&r("p",{class:"body warn small",children:["It ended with finish_reason ",a,"."]}),r("span",{class:"unseen",role:"status",
children:i?l?"The call has failed":"The answer is complete":"The answer comes"}),e.request!==null&&r(rb,{id:e.request})]})}function nb({progress:e,record:t}){let{
usage:n,firstMs:o,tookMs:s,ended:i}=e,[l,a]=[n?.prompt_tokens??t?.input_tokens,n?.completion_tokens??t?.output_tokens],c=o!==null&&a!==void 0&&i&&s-o>1?a/((s-o)/
1e3):null;return r(uo,{children:[r(ut,{label:"First token",figure:o===null?"–":Se(Math.round(o*1e3)),children:"as this page saw it"}),r(ut,{label:"Whole",figure:Se(
Math.round(s*1e3)),children:t?`Weir’s own part ${Se(t.own_us)}`:" "}),r(ut,{label:"Tokens",figure:l===void 0||a===void 0?"–":`${G(l)} → ${G(a)}`,children:c===
null?" ":`${c.toFixed(c<10?1:0)} a second`}),r(ut,{label:"Cost",figure:t?fe(t.cost_nanodollars,4):"–",...t&&{hint:Me(t.cost_nanodollars)},children:t?t.attempts>
1?`${G(t.attempts)} attempts`:"charged to the key":i?"not in the ledger yet":" "})]})}function rb({id:e}){let[t,n]=q(!1);return r("div",{class:"row body",children:[
r("span",{class:"mono muted",children:e}),r(at,{text:e,label:"Copy id"}),r("button",{class:"quiet",onClick:()=>n(!0),children:"Trail"}),t&&r(ao,{id:e,onClose:()=>n(
!1)})]})}var ob=[200,500,1e3,2e3,4e3];async function sb(e,t){return(await We("GET /admin/v1/attempts",{query:{request:e,limit:1}},t)).data.length===0?null:We("G\
ET /admin/v1/requests/{request}",{path:{request:e}},t)}function ib(e){let[t,n]=q(null);return de(()=>{if(n(null),e===null)return;let o=new AbortController,s=0,i=l=>{
let a=ob[l];a!==void 0&&(s=window.setTimeout(()=>{sb(e,o.signal).then(c=>c?n(c):i(l+1),()=>i(l+1))},a))};return i(0),()=>{o.abort(),clearTimeout(s)}},[e]),t}var Kd=["user","assistant","developer"],jo=[{name:"temperature",label:"Temperature",number:!0},{name:"top_p",label:"Top p",number:!0},{name:"max_tokens",label:"\
Tokens at most",number:!0},{name:"seed",label:"Seed",number:!0},{name:"stop",label:"Stop at",number:!1},{name:"reasoning_effort",label:"Reasoning effort",number:!1}];
function Nd({model:e,system:t,messages:n,values:o,stream:s}){let i=t.trim()===""?n:[{role:"system",content:t},...n],l={model:e,messages:i};for(let{name:a,number:c}of jo){
let p=o[a]?.trim()??"";p!==""&&(l[a]=c?Number(p):p)}return s&&Object.assign(l,{stream:!0,stream_options:{include_usage:!0}}),l}function Zl(e,t){return jo.find(o=>o.
name===e)?.number===!0&&t.trim()!==""&&!Number.isFinite(Number(t))?"A number, such as 0.7":null}var lb={text:"",thought:"",calls:"",finish:null,usage:null,firstMs:null,
tookMs:0,request:null,target:null,ended:!1,error:null},ab="/admin/v1/playground/v1/chat/completions";async function Id(e,t,n,o){let s=performance.now(),i=lb,l=a=>n(
i={...i,...a,tookMs:performance.now()-s});l({});try{let a=await du(ab,e,{"weir-playground-key":t,accept:"application/json, text/event-stream"},o),[c,p]=[a.headers.
get("weir-provider"),a.headers.get("weir-model")];if(l({request:a.headers.get("x-request-id"),target:c&&p&&`${c}/${p}`}),!a.ok)throw await Oi(a);let h=a.headers.
get("content-type")?.startsWith("text/event-stream")?db(a):cb(a);for await(let m of h){if(m.error)throw new wt(0,m.error.code??"",m.error.message??"The answer b\
roke off.");let y=ub(i,m);i.firstMs===null&&y.text+y.thought+y.calls!==""&&(y.firstMs=performance.now()-s),l(y)}l({ended:!0})}catch(a){let c=a instanceof wt?a:o.
aborted?new wt(0,"stopped","You stopped it."):new wt(0,"failed",a instanceof Error?a.message:String(a));l({ended:!0,error:c})}}function ub(e,{choices:t,usage:n}){
let[o]=t??[],s=o?.delta??o?.message,i=(s?.tool_calls??[]).map(l=>(l.function?.name?`${e.calls===""?"":`
`}${l.function.name} `:"")+(l.function?.arguments??"")).join("");return{...e,text:e.text+(s?.content??""),thought:e.thought+(s?.reasoning_content??""),calls:e.calls+
i,finish:o?.finish_reason??e.finish,usage:n??e.usage}}async function*cb(e){yield await e.json()}async function*db(e){if(!e.body)return;let t=e.body.pipeThrough(
new TextDecoderStream).getReader(),n="";for(;;){let{value:o,done:s}=await t.read();if(s)return;let i=(n+o).split(`
`);n=i.pop()??"";for(let l of i){let a=/^data: ?(.*?)\r?$/.exec(l)?.[1];a!==void 0&&a!=="[DONE]"&&(yield JSON.parse(a))}}}function Gd(){let{models:e}=F(),{params:t}=le(),n=!0,[o,s]=q(""),[i,l]=q({model:t.get("model")??e[0]??"",system:"",messages:[{role:"user",content:""}],values:{},
stream:!0}),[a,c]=q(null),p=mb(),h=C=>l({...i,...C}),m=a??JSON.stringify(Nd(i),null,2),y=a===null?null:pb(a),b=jo.some(({name:C})=>Zl(C,i.values[C]??"")!==null),
w=o.trim()!==""&&y===null&&(a!==null||i.model!==""&&!b&&i.messages.some(({content:C})=>C.trim()!=="")),M=C=>{C?.preventDefault(),w&&!p.running&&p.start(m,o.trim())},
P=C=>{h({messages:[...i.messages,{role:"assistant",content:C},{role:"user",content:""}]}),c(null)};return n?r(Ne,{title:"Playground",children:r("form",{class:"p\
lay",onSubmit:M,onKeyDown:C=>C.key==="Enter"&&(C.ctrlKey||C.metaKey)&&M(C),children:[r(fb,{apiKey:o,onKey:s,form:i,change:h,off:a!==null}),r("div",{class:"stack",
children:[r("section",{class:"panel","aria-label":"Request",children:[r("header",{children:[r(Nn,{label:"Write the request as",value:a===null?"form":"raw",options:[
{value:"form",label:"Messages"},{value:"raw",label:"JSON"}],onChange:C=>c(C==="raw"?m:null)}),a!==null&&r("span",{class:"muted small",children:"This is sent as \
it is. Messages does not take it over."}),r("div",{class:"rest",children:p.running?r("button",{type:"button",onClick:p.stop,children:"Stop"}):r("button",{class:"\
primary",disabled:!w,title:"Ctrl Enter",children:"Send"})})]}),r("div",{class:"body stack small-gap",children:[a===null?r(hb,{form:i,change:h}):r(Ur,{code:!0,label:"\
Body of POST /v1/chat/completions",rows:16,value:a,onInput:c,wrong:y}),o.trim()===""&&r("span",{class:"muted small",children:"An API key is wanted: the call cou\
nts and costs as one of that key."})]})]}),p.progress&&r(Fd,{progress:p.progress,onKeep:P})]})]})}):r(Ne,{title:"Playground",children:r("section",{class:"panel \
state",children:[r("strong",{children:"Your role does not allow this"}),r("span",{children:"It takes the permission playground.use."})]})})}function pb(e){try{return JSON.
parse(e),null}catch(t){return t instanceof Error?t.message:"This is no JSON."}}function mb(){let[e,t]=q(null),n=pt(null),o=pt(null),s=pt(0);de(()=>()=>n.current?.
abort(),[]);let i=a=>{o.current=a,s.current===0&&(s.current=requestAnimationFrame(()=>{s.current=0,t(o.current)}))},l=(a,c)=>{let{signal:p}=n.current=new AbortController;
Id(a,c,h=>n.current?.signal===p&&i(h),p)};return{progress:e,running:e!==null&&!e.ended,start:l,stop:()=>n.current?.abort()}}function fb({apiKey:e,onKey:t,form:n,
change:o,off:s}){let i=(l,a)=>o({values:{...n.values,[l]:a}});return r("section",{class:"panel pad stack","aria-label":"Key, model and parameters",children:[r(ae,
{label:"API key",type:"password",value:e,onInput:t,placeholder:"sk-weir-…",hint:"It stays in the memory of this page, and is forgotten when you leave it."}),r(
gb,{apiKey:e,model:n.model,onChange:l=>o({model:l})}),s?r("span",{class:"muted small",children:"The JSON says the rest."}):r(D,{children:[r("div",{class:"pair",
children:jo.map(({name:l,label:a})=>r(ae,{label:a,value:n.values[l]??"",onInput:c=>i(l,c),wrong:Zl(l,n.values[l]??""),placeholder:"default",...l==="reasoning_ef\
fort"&&{list:["none","low","medium","high"]}},l))}),r(gn,{label:"Stream the answer",checked:n.stream,onChange:l=>o({stream:l})})]})]})}function gb({apiKey:e,model:t,
onChange:n}){let{models:o}=F(),s=/^sk-weir-([A-Za-z0-9]{12})-/.exec(e.trim())?.[1],i=z("GET /admin/v1/models",s===void 0?null:{query:{key:s}}),l=s!==void 0&&i.data?
i.data.data.map(y=>y.id):o,a=s!==void 0&&i.data!==null,c=a?"Those that this key may use.":"",h=a&&!l.includes(t)&&!l.some(y=>y.endsWith("*")&&t.startsWith(y.slice(
0,-1)))?"This key may not use it.":null;if(l.some(y=>y.endsWith("*")))return r(ae,{label:"Model",value:t,onInput:n,list:l.filter(y=>!y.endsWith("*")),hint:c,wrong:h});
let m=(l.includes(t)?l:[t,...l]).map(y=>({value:y,label:y}));return r(Ve,{label:"Model",value:t,options:m,onChange:n,hint:c,wrong:h})}function hb({form:e,change:t}){
let{messages:n}=e,o=(s,i)=>t({messages:n.map((l,a)=>a===s?{...l,...i}:l)});return r(D,{children:[r(Ur,{label:"System",rows:2,value:e.system,onInput:s=>t({system:s}),
placeholder:"What the model is to be"}),n.map((s,i)=>r("div",{class:"message",children:[r("div",{class:"row",children:[r(Ve,{bare:!0,label:`Role of message ${i+
1}`,value:s.role,options:Kd.map(l=>({value:l,label:l})),onChange:l=>o(i,{role:l})}),n.length>1&&r("button",{type:"button",class:"quiet rest","aria-label":`Remov\
e message ${i+1}`,onClick:()=>t({messages:n.filter((l,a)=>a!==i)}),children:"Remove"})]}),r(Ur,{bare:!0,label:`Message ${i+1}`,rows:Math.min(16,Math.max(3,s.content.
split(`
`).length)),value:s.content,onInput:l=>o(i,{content:l})})]},i)),r("div",{class:"row",children:r("button",{type:"button",class:"quiet",onClick:()=>t({messages:[...n,
{role:"user",content:""}]}),children:"Add a message"})})]})}function Hd({data:e,since:t,until:n}){let o=new Date(t),s=Math.max(1,Math.round((new Date(n).getTime()-o.getTime())/Jl)),i=new Map;for(let{target:l="",at:a=t,calls:c,
failed:p}of e){let h=Math.floor((new Date(a).getTime()-o.getTime())/Jl);for(let m of[l,l.slice(0,l.indexOf("/"))]){let y=i.get(m);y||i.set(m,y=new Array(s).fill(
void 0));let b=y[h]??{calls:0,failed:0};y[h]={calls:b.calls+c,failed:b.failed+p}}}return{from:o,length:s,of:i}}var Jl=5*6e4,Ys=20,bb=5;function Wd({name:e,of:{from:t,
length:n,of:o}}){let s=o.get(e)??[],{zone:i}=F(),[l,a]=q(null),c=m=>{let y=m.currentTarget.getBoundingClientRect(),b=(m.clientX-y.left)/y.width;a({index:Math.min(
n-1,Math.max(0,Math.floor(b*n))),share:b})},p=m=>Rt(new Date(t.getTime()+m*Jl),i),h=l&&s[l.index];return r("div",{class:"cells",onPointerMove:c,onPointerLeave:()=>a(
null),children:[r("svg",{viewBox:`0 0 ${n} ${Ys}`,preserveAspectRatio:"none",role:"img","aria-label":yb(e,s,p),children:[r("rect",{class:"none",width:n,height:"\
2",y:Ys-2}),r("path",{class:"good",d:Ud(s,({calls:m,failed:y})=>[zd(m,y),y<m?Ys:0])}),r("path",{class:"bad",d:Ud(s,({calls:m,failed:y})=>[0,zd(m,y)])})]}),l&&r(
"div",{class:"tip","aria-hidden":"true",style:l.share>.5?{right:`${(1-l.share)*100+2}%`}:{left:`${l.share*100+2}%`},children:[r("div",{children:r("strong",{children:[
p(l.index)," – ",p(l.index+1)]})}),r("div",{children:h?`${ve(h.calls,"call")}, ${h.failed===0?"none":G(h.failed)} failed`:"no calls"})]})]})}function zd(e,t){
return t===0?0:Math.max(bb,Math.round(Ys*t/e))}function Ud(e,t){let n="";return e.forEach((o,s)=>{if(!o||o.calls===0)return;let[i,l]=t(o);l>i&&(n+=`M${s} ${i}h1\
V${l}h-1z`)}),n}function yb(e,t,n){let[o,s]=[t.reduce((a,c)=>a+(c?.calls??0),0),t.reduce((a,c)=>a+(c?.failed??0),0)],i=t.reduce((a,c,p)=>(c?.failed??0)>(t[a]?.failed??
0)?p:a,0),l=t[i]?.failed??0;return`${e}, last 24 hours: ${ve(o,"call")}, ${lt(s,o)} failed${l>0?`, most at ${n(i)}: ${G(l)} of ${G(t[i]?.calls??0)}`:""}`}var Ql="24h",Bd={query:{by:"target,5m",since:Ql}};function Vd(){let e=z("GET /admin/v1/models",{}),t=z("GET /admin/v1/latency",Bd),[n,o]=q(!1);return r(Ne,{title:"\
Providers",of:e,children:r("section",{class:"panel","aria-label":"Providers",children:[r("header",{children:[r("h2",{children:"Providers and their targets"}),r(
"span",{class:"muted small",children:"State now; the rest last 24 hours"}),r("div",{class:"rest",children:[r(Re,{list:!0,route:"GET /admin/v1/latency",asked:Bd}),
r(Nn,{label:"Show health as",value:n?"table":"strips",options:[{value:"strips",label:"Strips"},{value:"table",label:"Table"}],onChange:s=>o(s==="table")})]})]}),
n?r(ge,{of:t,isEmpty:({data:s})=>s.length===0,empty:r("span",{children:"No call in the last 24 hours."}),children:({data:s})=>r(Tb,{rows:s})}):r(ge,{of:e,children:({
data:s})=>r(vb,{models:s,fives:t.data})})]})})}function _b(e,t){let n=new Map(t.map(o=>[o,new Map]));for(let{target:o,health:s}of e.flatMap(i=>i.targets)){let i=o.
slice(0,o.indexOf("/"));n.set(i,(n.get(i)??new Map).set(o,s))}return n}function vb({models:e,fives:t}){let{providers:n,zone:o}=F(),s=z("GET /admin/v1/latency",{
query:{by:"target",since:Ql}}),i=z("GET /admin/v1/latency",{query:{by:"provider",since:Ql}}),l=Kr(()=>t&&Hd(t),[t]),a=new Map([...s.data?.data??[],...i.data?.data??
[]].map(c=>[c.target??c.provider??"",c]));return r("div",{class:"scroll",tabIndex:0,role:"group","aria-label":"Providers and targets, with their health",children:r(
"table",{class:"grouped",children:[r("thead",{children:r("tr",{children:[r("th",{scope:"col",children:"Provider, and its targets"}),r("th",{scope:"col",children:"\
State"}),r("th",{scope:"col",class:"strip-head",children:r(wb,{zone:o})}),r("th",{scope:"col",class:"num",children:"Calls"}),r("th",{scope:"col",class:"num",children:"\
Failed"}),r("th",{scope:"col",class:"num",title:"95 % of calls had their first content within",children:"First token, p95"}),r("th",{scope:"col",class:"num",children:"\
In flight"})]})}),[..._b(e,n)].map(([c,p])=>r(kb,{name:c,states:p,cells:l,speeds:a},c))]})})}function wb({zone:e}){let t=Date.now();return r("span",{class:"hour\
s",children:[r("span",{class:"unseen",children:"Last 24 hours"}),[24,18,12,6].map(n=>r("span",{"aria-hidden":"true",children:Rt(new Date(t-n*36e5),e)},n)),r("sp\
an",{"aria-hidden":"true",children:"now"})]})}function kb({name:e,states:t,cells:n,speeds:o}){let s=[...t.values()].reduce((i,l)=>i+(l?.in_flight??0),0);return r(
"tbody",{children:[r("tr",{class:"first",children:[r("th",{scope:"rowgroup",children:e}),r("td",{children:r(xb,{states:t})}),r(jd,{name:e,cells:n,row:o.get(e)}),
r("td",{class:"num",children:G(s)})]}),[...t].map(([i,l])=>r("tr",{children:[r("td",{class:"target",children:r("code",{children:i.slice(e.length+1)})}),r("td",{
children:r(qo,{health:l})}),r(jd,{name:i,cells:n,row:o.get(i)}),r("td",{class:"num",children:l?G(l.in_flight):"–"})]},i))]})}function xb({states:e}){let t=[...e.
values()].find(n=>n!==null);return t?r("span",{class:"muted",children:t.credentials===0?"no credential wanted":ve(t.credentials,"credential")}):r("span",{class:"\
muted",children:"no model uses it"})}function jd({name:e,cells:t,row:n}){return r(D,{children:[r("td",{class:"strip-cell",children:t&&r(Wd,{name:e,of:t})}),r("t\
d",{class:"num",children:n?G(n.calls):"–"}),r("td",{class:n&&n.failed>0?"num warn":"num",children:n?lt(n.failed,n.calls):"–"}),r("td",{class:"num",children:Se(
n?.first.p95_us??null)})]})}function Tb({rows:e}){let{zone:t}=F();return r(Ie,{label:"Calls and failures of each target in five minutes",columns:[{key:"at",title:"\
Five minutes from",cell:o=>mt(new Date(o.at??0),t),sort:o=>o.at??""},{key:"target",title:"Target",cell:o=>r("code",{children:o.target}),sort:o=>o.target??""},{key:"\
calls",title:"Calls",num:!0,cell:o=>G(o.calls),sort:o=>o.calls},{key:"failed",title:"Failed",num:!0,cell:o=>o.failed>0?r("span",{class:"warn",children:G(o.failed)}):
"0",sort:o=>o.failed}],rows:e.slice(-2e3),id:o=>`${o.target} ${o.at}`,sorted:"-at"})}var Yd={rows:null,next:null,searched:null,loading:!0,error:null};function Zd(e,t){let n=JSON.stringify(t),[o,s]=q(Yd),i=pt(null),l=Nr((a,c)=>{i.current?.abort();
let{signal:p}=i.current=new AbortController;s(m=>({...m,loading:!0,error:null}));let h={...JSON.parse(n),...a!==null&&{cursor:a}};Li("GET",Ir(e,{query:h}),void 0,
p).then(m=>s(Sb(c,m))).catch(m=>{p.aborted||s(y=>({...y,loading:!1,error:tn(m)}))})},[e,n]);return de(()=>(s(Yd),l(null,[]),()=>i.current?.abort()),[l]),{...o,more:()=>l(
o.next,o.rows??[])}}function Sb(e,t){return{rows:[...e,...t.data],next:t.next,searched:t.searched_until?new Date(t.searched_until):null,loading:!1,error:null}}var Xl=[["key","key"],["team","team"],["model","model"],["provider","provider"],["target","target"],["status","status"],["outcome","outcome"],["flag","flag"],["\
tag","tag"],["min_took","slower"]];function Jd(){let{params:e}=le(),t=e.get("request"),n=kt(e),o=Cb(e,{since:n.since,...n.until&&{until:n.until}});return r(Ne,{
title:"Requests",period:!0,team:!0,children:[r(Eb,{}),r(Rb,{query:o,opened:t}),t!==null&&r(ao,{id:t,onClose:()=>te({request:null})},t)]})}function Cb(e,t){let n={
...t};for(let[s]of Xl){let i=e.get(s);i&&(n[s]=i)}let o=Number(e.get("dearer"));return o>0&&(n.min_cost_nanodollars=Math.round(o*1e9)),n}function Pb(e){let t=Xl.
filter(([n])=>e[n]!==void 0).map(([n,o])=>`--${o} ${xt(String(e[n]))}`);e.min_cost_nanodollars&&t.push(`--dearer ${Number(e.min_cost_nanodollars)/1e9}`);for(let n of[
"since","until"])e[n]&&t.push(`--${n} ${e[n]}`);return["weir requests",...t].join(" ")}function Eb(){let{params:e}=le(),{models:t,providers:n}=F(),o=z("GET /adm\
in/v1/keys",{query:{limit:1e3}}),s=[...Xl.map(([b])=>b),"dearer"].filter(b=>b!=="team"),[i,l]=q({}),[a,c]=q("");de(()=>{l(Object.fromEntries(s.map(b=>[b,e.get(b)??
""]))),c("")},[e.toString()]);let p=s.some(b=>e.get(b)),h=b=>w=>l({...i,[b]:w}),m=(b={})=>te({...i,...b,...a.trim()&&{request:a.trim()}}),y=(b,w,M,P={})=>r(ae,{
label:w,value:i[b]??"",onInput:h(b),size:M,...P});return r("form",{class:"filters many",onSubmit:b=>{b.preventDefault(),m()},onChange:b=>b.target instanceof HTMLInputElement&&
m(),children:[y("key","Key",12,{list:(o.data?.data??[]).map(b=>b.name)}),y("model","Model",10,{list:t}),y("provider","Provider",10,{list:n}),r(Ve,{label:"Status",
value:i.status??"",options:["","ok","failed","canceled"].map(b=>({value:b,label:b||"any"})),onChange:b=>m({status:b})}),y("outcome","Outcome",10,{list:Mb}),y("m\
in_took","Slower than",7,{placeholder:"10s"}),y("dearer","Dearer than, $",7,{placeholder:"0.05"}),y("tag","Tag",10,{placeholder:"name=value"}),r(ae,{label:"Id",
value:a,onInput:c,size:12,placeholder:"req_…"}),r("button",{class:"unseen",type:"submit",children:"Find"}),p&&r("button",{type:"button",class:"quiet",onClick:()=>te(
Object.fromEntries(s.map(b=>[b,null]))),children:"Clear"})]})}var Mb=["ok","unreachable","timeout","failed","malformed","overloaded","rate_limited","credential",
"denied","misconfigured","model_not_found","too_long","refused","moderated","canceled","lost","budget"];function Rb({query:e,opened:t}){let{zone:n}=F(),o=Zd("GE\
T /admin/v1/requests",e),{rows:s,loading:i,error:l,searched:a,next:c}=o;return r("section",{class:"panel","aria-label":"Requests found",children:[r("header",{children:[
r("h2",{children:s===null?"Requests":`${ve(s.length,"request")}${c===null?"":" so far"}`}),r("span",{class:"muted small",children:n}),r("div",{class:"rest",children:r(
Re,{list:!0,route:"GET /admin/v1/requests",asked:{query:{...e,limit:1e3}},command:Pb(e)})})]}),r(ys,{shown:i}),s!==null&&s.length>0&&r(Ie,{label:"Requests",columns:Bs(
n),rows:s,id:p=>p.request,selected:t,onOpen:p=>te({request:p.request})}),l&&r(cr,{error:l,retry:o.more}),s!==null&&!l&&r("div",{class:"state small",children:[s.
length===0&&c===null&&r("strong",{children:"No request is like this"}),r("div",{class:"row",children:[r("span",{children:a?`Searched back to ${mt(a,n)}.`:"That \
is all there is in this period."}),c!==null&&r("button",{disabled:i,onClick:o.more,children:"Search further back"})]})]})]})}function Qd({name:e}){let t=z("GET /admin/v1/teams/{team}",{path:{team:e}}),n=kn("PATCH /admin/v1/teams/{team}")&&t.data?.source==="store"&&t.data.status!=="rev\
oked";return r(Ne,{title:t.data?.name??"Team",up:{path:"/teams",title:"Teams"},mark:t.data&&r(Ao,{of:t.data}),period:!0,of:t,tools:n&&r(Db,{}),children:r(ge,{of:t,
children:o=>r(qb,{of:o,may:n})})})}function Db(){return r(D,{children:[r("button",{onClick:()=>ft("edit"),children:"Edit"}),r("button",{class:"danger",onClick:()=>ft(
"revoke"),children:"Revoke"})]})}function qb({of:e,may:t}){let[n]=Wn(),o=kn("POST /admin/v1/keys")&&e.status==="active",s={query:{team:e.id}},i=z("GET /admin/v1\
/limits",e.status==="active"?s:null),l=z("GET /admin/v1/keys",{query:{limit:1e3}}),a=(l.data?.data??[]).filter(c=>c.team_id===e.id&&c.status!=="revoked");return r(
"div",{class:"stack",children:[e.status==="revoked"&&r(Vn,{children:[r("span",{class:"warn",children:"The team is revoked."}),r("span",{children:"Its keys are r\
efused until they are in another team."})]}),r(zs,{of:e,list:"teams"}),r("div",{class:"sides",children:[e.status==="active"&&r(Hs,{of:i,asked:s,command:`weir li\
mits --team ${e.id}`,may:t}),r("section",{class:"panel","aria-label":"About the team",children:[r("header",{children:r("h2",{children:"About the team"})}),r("dl",
{class:"pairs body",children:[r(Us,{of:e}),r("dt",{children:"Lives in"}),r("dd",{children:e.source==="config"?"the config file":"the store"})]})]})]}),r(Ws,{only:{
team:e.id}}),r($b,{of:l,members:a,team:e,may:o}),t&&n==="edit"&&r(Nu,{of:e}),t&&n==="revoke"&&r(Uu,{of:e,keys:l.data?.next===null?a.length:null}),o&&n==="create"&&
r(Ts,{team:e.name})]})}function $b({of:e,members:t,team:n,may:o}){let s=Yn("key",{team:n.id});return r("section",{class:"panel","aria-label":"Keys of the team",
children:[r("header",{children:[r("h2",{children:"Keys"}),r("div",{class:"rest",children:[r(Re,{list:!0,route:"GET /admin/v1/usage",asked:{query:{by:"key",team:n.
id,since:"30d"}},command:`weir usage --by key --team ${n.id} --since 30d`}),o&&r("button",{class:"quiet",onClick:()=>ft("create"),children:"Create key"})]})]}),
r(ge,{of:e,isEmpty:()=>t.length===0,empty:r(Ab,{team:n,may:o}),children:({data:i,next:l})=>r(D,{children:[r(Ie,{label:"Keys of the team",columns:Lb(s),rows:t,id:a=>a.
id,sorted:"-spent",most:50}),l!==null&&r("p",{class:"state small",children:["Only the first ",G(i.length)," keys of all were looked at."]})]})})]})}function Ab({
team:e,may:t}){return r(D,{children:[r("strong",{children:"No key is in this team"}),r("pre",{class:"code",children:["weir keys create --name my-app --team ",e.
name]}),t&&r("button",{onClick:()=>ft("create"),children:"Create key"})]})}function Lb(e){return[{key:"name",title:"Key",cell:t=>r("div",{class:"words",children:[
r("a",{href:ne("/keys/"+encodeURIComponent(t.id)),children:t.name}),r("span",{class:"second mono",children:t.id})]}),sort:t=>t.name},{key:"spent",title:"Spent i\
n 30 days",num:!0,cell:t=>r(jr,{spending:e,id:t.id}),sort:t=>e.of.get(t.id)?.cost??-1},{key:"models",title:"Models",cell:t=>r(Gn,{models:t.models})},{key:"bound\
s",title:"Budgets, limits",cell:t=>r(Br,{of:t}),sort:Hr},{key:"status",title:"Status",cell:t=>r(Wr,{of:t}),sort:t=>In(t).word}]}var ea={query:{limit:1e3}},Ob=[{value:"",label:"Not revoked"},{value:"revoked",label:"Revoked"},{value:"all",label:"All"}];function Xd(){let e=z("GET /admin/v1/\
teams",ea),[t]=Wn(),n=kn("POST /admin/v1/teams");return r(Ne,{title:"Teams",of:e,tools:n&&r("button",{class:"primary",onClick:()=>ft("create"),children:"Create \
team"}),children:[r("section",{class:"panel","aria-label":"Teams",children:[r("header",{children:[r(Fb,{}),r("div",{class:"rest",children:r(Re,{list:!0,route:"G\
ET /admin/v1/teams",asked:ea,command:"weir teams list"})})]}),r(ge,{of:e,isEmpty:({data:o})=>o.length===0,empty:r(Kb,{may:n}),children:({data:o,next:s})=>r(Nb,{
teams:o,more:s!==null})})]}),t==="create"&&n&&r(Ku,{})]})}function Fb(){let{params:e}=le();return r("div",{class:"filters",role:"search","aria-label":"Teams",children:[
r(ae,{bare:!0,label:"Name",type:"search",placeholder:"Name",value:e.get("q")??"",onInput:t=>te({q:t},!0)}),r(Ve,{bare:!0,label:"Status",value:e.get("status")??"",
options:Ob,onChange:t=>te({status:t})})]})}function Kb({may:e}){return r(D,{children:[r("strong",{children:"No team yet"}),r("span",{children:"A team bounds wha\
t several keys use and spend together. Make one here or on the command line:"}),r("pre",{class:"code",children:"weir teams create --name research --budget 500us\
d/month"}),e&&r("button",{class:"primary",onClick:()=>ft("create"),children:"Create team"})]})}function Nb({teams:e,more:t}){let n=Yn("team"),o=z("GET /admin/v1\
/keys",ea),{params:s}=le(),[i,l]=[(s.get("q")??"").toLowerCase(),s.get("status")??""],a=e.filter(p=>(i===""||p.name.toLowerCase().includes(i)||p.id===i)&&(l==="\
all"||l==="revoked"==(p.status==="revoked"))),c=o.data?{of:Ib(o.data.data),whole:o.data.next===null}:null;return r(D,{children:[a.length===0?r("div",{class:"sta\
te",children:[r("strong",{children:"No team matches"}),r("button",{onClick:()=>te({q:null,status:null}),children:"Clear filters"})]}):r(Ie,{label:"Teams",columns:Gb(
n,c),rows:a,id:p=>p.id,sorted:"-spent",most:100}),t&&r("p",{class:"state small",children:["Only the first ",G(e.length)," teams are listed. weir teams list has \
all."]}),r("p",{class:"unseen",role:"status",children:[a.length," of ",e.length," teams are shown"]})]})}function Ib(e){let t=new Map;for(let n of e)n.team_id&&
n.status!=="revoked"&&t.set(n.team_id,(t.get(n.team_id)??0)+1);return t}function Gb(e,t){let n=o=>t?.of.get(o.id)??0;return[{key:"name",title:"Team",cell:o=>r("\
div",{class:"words",children:[r("a",{href:ne("/teams/"+encodeURIComponent(o.id)),children:o.name}),r("span",{class:"second mono",children:o.id})]}),sort:o=>o.name},
{key:"keys",title:"Keys",num:!0,cell:o=>t?r("a",{href:ne("/keys",{team:o.name}),children:[G(n(o)),t.whole?"":" +"]}):"–",sort:n},{key:"spent",title:"Spent in \
30 days",num:!0,cell:o=>r(jr,{spending:e,id:o.id}),sort:o=>e.of.get(o.id)?.cost??-1},{key:"models",title:"Models",cell:o=>r(Gn,{models:o.models}),sort:o=>(o.models??
[]).join()},{key:"bounds",title:"Budgets, limits",cell:o=>r(Br,{of:o}),sort:Hr},{key:"status",title:"Status",cell:o=>r(Wr,{of:o}),sort:o=>In(o).word}]}var ra=[{name:"cost",title:"Cost",of:e=>e.cost_nanodollars,format:fe,axis:Gr},{name:"requests",title:"Requests",of:e=>e.requests,format:G,axis:nn},{name:"tokens",
title:"Tokens",of:e=>e.input_tokens+e.output_tokens,format:G,axis:nn},{name:"calls",title:"Calls",of:e=>e.attempts,format:G,axis:nn}],Zs=["model","team","key","\
provider","tag"],ta=500;function ep(){let{zone:e}=F(),t=zb(le().params,e),n={query:{by:[t.by,t.then].filter(Boolean).join(","),...sa(t)}},o=z("GET /admin/v1/usa\
ge",n);return r(Ne,{title:"Usage",period:!0,team:!0,of:o,children:[r(Ub,{question:t}),r(Hb,{question:t}),r("section",{class:"panel","aria-label":"Sums",children:[
r("header",{children:[r("h2",{children:[t.metric.title," by ",t.by,t.then&&` and ${t.then}`]}),r("span",{class:"muted small",children:fn(t.period,e)}),r("div",{
class:"rest",children:r(Re,{list:!0,route:"GET /admin/v1/usage",asked:n,command:tp(n.query)})})]}),r(ge,{of:o,isEmpty:({data:s})=>s.length===0,empty:r(Yl,{}),children:({
data:s})=>r(Wb,{rows:s,question:t})})]})]})}function zb(e,t){let n=kt(e),o=Zs.find(c=>c===e.get("by"))??"model",s=Zs.find(c=>c===e.get("then")&&c!==o)??"",i=ur(
n,t),l=["hour","day","month"].find(c=>c===e.get("grain"))??(o==="tag"&&i==="hour"?"day":i),a={};for(let c of["key","team","model"]){let p=e.get(c);p&&(a[c]=p)}return{
by:o,then:s,grain:l,period:n,filters:a,metric:ra.find(c=>c.name===e.get("metric"))??ra[0],compare:e.get("compare")!==null,classes:e.get("classes")!==null}}function sa({
period:e,filters:t}){return{since:e.since,...e.until&&{until:e.until},...t}}function tp(e){return["weir usage",...Object.entries(e).map(([t,n])=>`--${t} ${xt(n)}`)].
join(" ")}function na(e){return e.map(t=>({value:t,label:t||"–"}))}function Ub({question:e}){let{by:t,then:n,metric:o,grain:s,filters:i}=e,l=["",...Zs].filter(
a=>a!==t&&(t!=="tag"||a===""||a==="key")&&(a!=="tag"||t==="key"));return r("div",{class:"filters",children:[r(Ve,{label:"Group by",value:t,options:na(Zs),onChange:a=>te(
{by:a,then:null})}),r(Ve,{label:"then by",value:n,options:na(l),onChange:a=>te({then:a})}),r(Ve,{label:"Figure",value:o.name,options:ra.map(a=>({value:a.name,label:a.
title})),onChange:a=>te({metric:a==="cost"?null:a})}),r(Ve,{label:"Per",value:s,options:na(t==="tag"?["day","month"]:["hour","day","month"]),onChange:a=>te({grain:a})}),
r(gn,{label:"Compare with the span before",checked:e.compare,onChange:a=>te({compare:a?"1":null})}),r(gn,{label:"Classes of tokens",checked:e.classes,onChange:a=>te(
{classes:a?"1":null})}),["key","model"].map(a=>i[a]!==void 0&&r("button",{type:"button",onClick:()=>te({[a]:null}),title:"Take this filter out",children:[a,": ",
i[a]," ✕"]},a))]})}function Hb({question:e}){let{zone:t}=F(),{by:n,grain:o,metric:s}=e,i={query:{by:`${n},${o}`,...sa(e)}},l=z("GET /admin/v1/usage",i);return r(
ge,{of:l,children:({data:a,since:c,until:p})=>{let h=Cn(new Date(c),new Date(p),o,t),m=Jr({rows:a,xs:h,zone:t,group:y=>dr(y,n),value:s.of});return r(yr,{title:`${s.
title} per ${o}, by ${n}`,kind:"bars",grain:o,xs:h,until:new Date,series:m,format:s.format,axis:s.axis,tools:r(Re,{list:!0,route:"GET /admin/v1/usage",asked:i,command:tp(
i.query)}),...np(n)&&{onPick:y=>te({[n]:y})}})}})}function np(e){return e==="key"||e==="team"||e==="model"}function Wb({rows:e,question:t}){let{zone:n}=F(),{by:o,
then:s,period:i,compare:l,metric:a}=t,c=z("GET /admin/v1/usage",l?{query:{by:[o,s].filter(Boolean).join(","),...sa({...t,period:hs(i,n)})}}:null),p=l?new Map((c.
data?.data??[]).map(m=>[oa(m,t),m])):null,h=e.toSorted((m,y)=>a.of(y)-a.of(m)).slice(0,ta);return r(D,{children:[r(Ie,{label:"Sums",columns:Bb(t,e,p),rows:h,id:m=>oa(
m,t),sorted:`-${a.name}`},`${o}.${s}.${a.name}`),e.length>ta&&r("p",{class:"state small",children:["The first ",G(ta)," of ",ve(e.length,"line"),". The CSV has \
all."]})]})}function oa(e,{by:t,then:n}){return JSON.stringify([t,n].map(o=>o===""?"":e[o]))}function Bb(e,t,n){let{by:o,then:s,metric:i,classes:l}=e,a=m=>t.reduce(
(y,b)=>y+m(b),0),c=Math.max(0,...t.map(i.of)),p=(m,y,b)=>({key:m,title:y,num:!0,cell:w=>G(b(w)),sort:b,sum:G(a(b))}),h=[o,s].filter(Boolean).map((m,y)=>jb(m,y===
0));return h.push({key:"cost",title:"Cost",num:!0,cell:m=>r("span",{title:Me(m.cost_nanodollars),children:[m.estimated>0&&"~ ",fe(m.cost_nanodollars)]}),sort:m=>m.
cost_nanodollars,sum:r("span",{title:Me(a(m=>m.cost_nanodollars)),children:[a(m=>m.estimated)>0&&"~ ",fe(a(m=>m.cost_nanodollars))]}),hint:"~: of some calls Wei\
r counted the tokens"},{key:"share",title:"Share",cell:m=>r(Tn,{part:i.of(m),whole:c})}),n&&h.push(Yb(e,n)),h.push(p("requests","Requests",m=>m.requests),p("cal\
ls","Calls",m=>m.attempts),p("tokens","Tokens",m=>m.input_tokens+m.output_tokens)),l?h.push(p("fresh","Fresh",m=>m.input_tokens-m.cache_read_tokens-m.cache_write_tokens),
p("read","From caches",m=>m.cache_read_tokens),p("write","Into caches",m=>m.cache_write_tokens),p("output","Output",m=>m.output_tokens),p("reasoning","of it rea\
soning",m=>m.reasoning_tokens)):h.push({key:"cached",title:"From caches",num:!0,cell:m=>lt(m.cache_read_tokens,m.input_tokens),sort:m=>m.input_tokens?m.cache_read_tokens/
m.input_tokens:0,sum:lt(a(m=>m.cache_read_tokens),a(m=>m.input_tokens))}),h}function jb(e,t){let n=e[0].toUpperCase()+e.slice(1);return{key:e,title:n,cell:o=>r(
"a",{href:Vb(o,e),children:dr(o,e)}),sort:o=>dr(o,e),...t&&{sum:"All"}}}function Vb(e,t){let n=t==="key"?e.key??"":t==="team"?e.team??"":dr(e,t);return np(t)&&n!==
""?Co({[t]:n}):ne("/requests",{[t]:n})}function Yb({metric:e,...t},n){let o=s=>{let i=n.get(oa(s,{metric:e,...t}));return i?e.of(i):0};return{key:"before",title:"\
Span before",num:!0,cell:s=>r("span",{title:To(e.of(s),o(s)),children:e.format(o(s))}),sort:o,sum:e.format([...n.values()].reduce((s,i)=>s+e.of(i),0))}}var Js=[{path:"/",title:"Overview",group:"",page:Od},{path:"/usage",title:"Usage",group:"",page:ep},{path:"/requests",title:"Requests",group:"",page:Jd},{path:"\
/models",title:"Models",group:"Serve",page:Ad},{path:"/providers",title:"Providers",group:"Serve",page:Vd},{path:"/explain",title:"Explain",group:"Serve",page:Mu},
{path:"/playground",title:"Playground",group:"Serve",page:Gd},{path:"/keys",title:"Keys",group:"Access",page:qd,one:Rd},{path:"/teams",title:"Teams",group:"Acce\
ss",page:Xd,one:Qd}];function Qs(e){for(let t of Js){if(t.path===e)return{row:t,name:null};if(!t.one||!e.startsWith(t.path+"/"))continue;let n=Zb(e.slice(t.path.
length+1));if(n!=="")return{row:t,name:n}}return null}function Zb(e){try{return e.includes("/")?"":decodeURIComponent(e)}catch{return""}}var Jb=12;function rp(){let[e,t]=q(""),[n,o]=q(!1),[s,i]=q(0),l=pt(null),a=Qb(e.trim(),n);Xb(l);let c=m=>{m&&(o(!1),t(""),l.current?.blur(),Fn(m.href))},p=m=>{if(m.
key==="ArrowDown")i(Math.min(s+1,a.length-1));else if(m.key==="ArrowUp")i(Math.max(s-1,0));else if(m.key==="Enter")c(a[s]);else if(m.key==="Escape")o(!1);else return;
m.preventDefault()},h=n&&a.length>0;return r("div",{class:"search",role:"search",children:[r("input",{ref:l,role:"combobox","aria-label":"Search keys, models, r\
equest ids","aria-expanded":h,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":h?`hit-${s}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:m=>{t(m.currentTarget.value),o(!0),i(0)},onFocus:()=>o(!0),onBlur:()=>o(!1),onKeyDown:p}),r("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!h,children:a.map((m,y)=>r("li",{id:`hit-${y}`,role:"option","aria-selected":y===s,onMouseDown:b=>{b.preventDefault(),c(m)},children:[
r("span",{children:m.name}),r("span",{class:"muted small",children:m.kind})]},m.href))})]})}function Qb(e,t){let{models:n}=F(),o=z("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:ne("/requests",{request:e})}];let s=l=>l.toLowerCase().includes(e.toLowerCase()),
i=n.filter(s).map(l=>({kind:"model",name:l,href:ne("/requests",{model:l})}));for(let l of o.data?.data??[])(s(l.name)||l.id===e)&&i.push({kind:"key",name:l.name,
href:ne("/keys/"+encodeURIComponent(l.id))});return i.slice(0,Jb)}function Xb(e){de(()=>{let t=n=>{let o=n.target instanceof HTMLElement&&n.target.matches("inpu\
t, textarea, select");n.key!=="/"||o||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function Xs(){return r("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[r("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),r("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function op({onLeave:e}){let{path:t}=le(),[n,o]=q(!1);de(()=>o(!1),[t]);let s=Qs(t),i=()=>{mu().finally(e)};return r(D,{children:[r("a",{class:"skip",
href:"#page",children:"To the page"}),r("div",{class:"shell",children:[r("header",{class:"bar",children:[r("a",{class:"brand",href:ne("/"),children:[r(Xs,{}),"W\
eir"]}),r("button",{class:"rest","aria-expanded":n,onClick:()=>o(!n),children:"Menu"})]}),r(ny,{shown:n,path:s?.row.path??""}),r("div",{class:"content",children:[
r(ty,{onLeave:i}),r("main",{id:"page",tabIndex:-1,children:ey(s)})]})]})]})}function ey(e){return e?e.row.one&&e.name!==null?r(e.row.one,{name:e.name},e.name):r(
e.row.page,{}):r(oy,{})}function ty({onLeave:e}){let{session:t,zone:n}=F();return t.expires===null?null:r("div",{class:"banner",role:"region","aria-label":"Sess\
ion",children:[r("span",{children:["Signed in with the admin token, until ",Rt(new Date(t.expires),n),"."]}),r("button",{class:"quiet",onClick:e,children:"Sign \
out"})]})}function ny({shown:e,path:t}){let n=[...new Set(Js.map(o=>o.group))];return r("aside",{class:e?"side shown":"side","aria-label":"Console",children:[r(
"a",{class:"brand",href:ne("/"),children:[r(Xs,{}),"Weir"]}),r(rp,{}),r("nav",{"aria-label":"Pages",children:n.map(o=>r("div",{children:[o!==""&&r("p",{children:o}),
Js.filter(s=>s.group===o).map(s=>r("a",{href:ne(s.path),"aria-current":s.path===t?"page":void 0,children:s.title},s.path))]},o))}),r("div",{class:"foot",children:r(
ry,{})})]})}function ry(){let[e,t]=q(Ss),n=o=>{let s=Bu.find(i=>i===o)??"system";ju(s),t(s)};return de(()=>Fo(e),[]),r(Nn,{label:"Colour scheme",value:e,options:[
{value:"light",label:"Light"},{value:"dark",label:"Dark"},{value:"system",label:"System"}],onChange:n})}function oy(){return r(D,{children:[r("h1",{children:"Th\
ere is no such page"}),r("p",{children:r("a",{href:ne("/"),children:"Overview"})})]})}function sp({onSession:e}){let[t,n]=q(""),[o,s]=q(!1),[i,l]=q(null);return de(()=>{document.title="Sign in · Weir"},[]),r("main",{class:"login",children:[r("h1",
{class:"row",children:[r(Xs,{}),"Weir"]}),r("form",{onSubmit:c=>{c.preventDefault(),s(!0),pu(t.trim()).then(e,p=>l(tn(p))).finally(()=>s(!1))},children:[r(ae,{label:"\
Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:i?.message??null,hint:"It is admin.token in the config, else in the file admin.tok\
en of the data folder."}),r("div",{class:"row",children:r("button",{class:"primary",disabled:o||t.trim()==="",children:"Sign in"})})]})]})}function sy(){let[e,t]=q({is:"asking"}),n=Nr(o=>{o.then(iy).then(s=>t({is:"in",known:s}),s=>{let i=tn(s);t(i.status===401?{is:"out"}:{is:"failed",error:i})})},[]);
switch(de(()=>{let o=()=>t({is:"out"});return ms.addEventListener("ended",o),n(Ni()),()=>ms.removeEventListener("ended",o)},[]),e.is){case"asking":return null;case"\
out":return r(sp,{onSession:o=>n(Promise.resolve(o))});case"failed":return r("main",{class:"login",children:r(cr,{error:e.error,retry:()=>n(Ni())})});case"in":return r(
Ki.Provider,{value:e.known,children:r(op,{onLeave:()=>t({is:"out"})})})}}async function iy(e){let t=await We("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers,url:ly(t.url)}}function ly(e){let t=new URL(e),n=o=>o==="localhost"||o==="[::1]"||o.startsWith("127.");return n(t.hostname)&&
!n(location.hostname)&&(t.hostname=location.hostname),t.origin}Fo(Ss());wu(e=>Qs(e)!==null);Va(r(sy,{}),document.body);
